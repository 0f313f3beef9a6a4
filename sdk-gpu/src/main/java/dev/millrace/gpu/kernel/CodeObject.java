package dev.millrace.gpu.kernel;

import dev.millrace.gpu.kernel.KernelParameter.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A compiled module: an ELF file whose note {@code NT_AMDGPU_METADATA} describes its kernels. The
 * fields are those of LLVM's "User Guide for AMDGPU Backend", code object V3 and later.
 *
 * <p>Experimental: may change in any release.
 */
public final class CodeObject {
  private static final String HIDDEN = "hidden_";

  private final byte[] bytes;
  private final List<KernelDescription> kernels;

  private CodeObject(byte[] bytes, List<KernelDescription> kernels) {
    this.bytes = bytes;
    this.kernels = kernels;
  }

  /**
   * Reads a code object.
   *
   * @param bytes the whole file
   * @return what it holds
   * @throws IllegalArgumentException if it is no ELF file with that note, or damaged
   */
  public static CodeObject of(byte[] bytes) {
    byte[] copy = bytes.clone();
    try {
      return new CodeObject(copy, kernels(new MessagePack(ElfNotes.metadata(copy))));
    } catch (MessagePack.Malformed e) {
      throw new IllegalArgumentException(
          "read code object bytes=" + bytes.length + ": " + e.getMessage(), e);
    }
  }

  /**
   * The kernels.
   *
   * @return in the order of the file
   */
  public List<KernelDescription> kernels() {
    return kernels;
  }

  /**
   * A kernel by its name.
   *
   * @param name the name in the code object
   * @return the kernel, or empty
   */
  public Optional<KernelDescription> kernel(String name) {
    return kernels.stream().filter(kernel -> kernel.name().equals(name)).findFirst();
  }

  byte[] bytes() {
    return bytes;
  }

  private static List<KernelDescription> kernels(MessagePack in) throws MessagePack.Malformed {
    List<KernelDescription> kernels = new ArrayList<>();
    for (int entries = in.map(); entries > 0; entries--) {
      if (in.text().equals("amdhsa.kernels")) {
        for (int left = in.array(); left > 0; left--) {
          kernels.add(new KernelReader().read(in));
        }
      } else {
        in.skip();
      }
    }
    return List.copyOf(kernels);
  }

  /** Gathers the entries of one kernel's map, which stand in any order. */
  private static final class KernelReader {
    private String name = "";
    private String symbol = "";
    private int argumentBytes = -1;
    private int sharedBytes;
    private int maxThreads;
    private List<KernelParameter> parameters = List.of();

    KernelDescription read(MessagePack in) throws MessagePack.Malformed {
      for (int entries = in.map(); entries > 0; entries--) {
        entry(in.text(), in);
      }
      if (name.isEmpty() || argumentBytes < 0) {
        throw new MessagePack.Malformed("a kernel without .name or .kernarg_segment_size");
      }
      for (KernelParameter parameter : parameters) {
        if ((long) parameter.offset() + parameter.size() > argumentBytes) {
          throw new MessagePack.Malformed(
              "kernel=" + name + ": an argument lies outside of .kernarg_segment_size");
        }
      }
      return new KernelDescription(
          name, symbol, argumentBytes, sharedBytes, maxThreads, parameters);
    }

    private void entry(String key, MessagePack in) throws MessagePack.Malformed {
      switch (key) {
        case ".name" -> name = in.text();
        case ".symbol" -> symbol = in.text();
        case ".kernarg_segment_size" -> argumentBytes = in.number();
        case ".group_segment_fixed_size" -> sharedBytes = in.number();
        case ".max_flat_workgroup_size" -> maxThreads = in.number();
        case ".args" -> parameters = parameters(in);
        default -> in.skip();
      }
    }
  }

  /** Those of the caller: what the runtime fills in itself is called hidden. */
  private static List<KernelParameter> parameters(MessagePack in) throws MessagePack.Malformed {
    List<KernelParameter> parameters = new ArrayList<>();
    for (int left = in.array(); left > 0; left--) {
      int offset = -1;
      int size = -1;
      String kind = "";
      for (int entries = in.map(); entries > 0; entries--) {
        switch (in.text()) {
          case ".offset" -> offset = in.number();
          case ".size" -> size = in.number();
          case ".value_kind" -> kind = in.text();
          default -> in.skip();
        }
      }
      if (!kind.startsWith(HIDDEN)) {
        parameters.add(parameter(offset, size, kind));
      }
    }
    return parameters;
  }

  private static KernelParameter parameter(int offset, int size, String kind)
      throws MessagePack.Malformed {
    if (offset < 0 || size < 1) {
      throw new MessagePack.Malformed("an argument without .offset or .size");
    }
    return switch (kind) {
      case "global_buffer" -> new KernelParameter(offset, size, Kind.POINTER);
      case "by_value" -> new KernelParameter(offset, size, Kind.VALUE);
      default -> throw new MessagePack.Malformed("an argument of .value_kind=" + kind);
    };
  }
}
