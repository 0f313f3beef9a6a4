package dev.millrace.profiler.launch;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What usually keeps an AMD GPU from being used, or makes it slow: each with what to do about it.
 * Looks at files and variables only; a library that is loaded may end the process.
 */
final class GpuChecks {
  private static final Pattern TARGET = Pattern.compile("gfx_target_version (\\d+)");

  /** Variables that make every launch or copy wait, with the values that switch them off. */
  private static final Map<String, String> SERIALISING =
      new TreeMap<>(
          Map.of(
              "HIP_LAUNCH_BLOCKING", "0",
              "CUDA_LAUNCH_BLOCKING", "0",
              "AMD_SERIALIZE_KERNEL", "0",
              "AMD_SERIALIZE_COPY", "0",
              "HSA_ENABLE_SDMA", "1"));

  /** Variables that hide devices or change their numbers. */
  private static final List<String> VISIBILITY =
      List.of("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL");

  private final Path root;
  private final Map<String, String> environment;
  private final GpuLibraries libraries;

  /**
   * Looks below a folder that stands for {@code /}.
   *
   * @param environment the process's variables
   */
  GpuChecks(Path root, Map<String, String> environment) {
    this.root = root;
    this.environment = environment;
    this.libraries = new GpuLibraries(root, environment);
  }

  /** Each check's name and what it found; empty where the kernel has no AMD GPU driver. */
  Map<String, String> results() {
    Map<String, String> results = new LinkedHashMap<>();
    if (!Files.exists(root.resolve("dev/kfd"))) {
      results.put("driver", "no /dev/kfd: the kernel has no AMD GPU, or no amdgpu driver for it");
    } else {
      results.put("driver", driver());
      results.put("access", access());
      List<String> architectures = architectures();
      results.put(
          "architectures", architectures.isEmpty() ? "none" : String.join(", ", architectures));
      results.put("rocBLAS kernels", blasKernels(architectures));
      results.put("MIOpen's compiler", compiler());
    }
    results.put("hardware queues", queues());
    results.put("serialising", serialising());
    results.put("visibility", visibility());
    return results;
  }

  /** Both versions: AMD supports a driver with a ROCm that is at most about a year apart. */
  private String driver() {
    String kernel = firstLine(root.resolve("sys/module/amdgpu/version")).orElse("the kernel's own");
    String rocm = firstLine(root.resolve("opt/rocm/.info/version")).orElse("not under /opt/rocm");
    return "amdgpu "
        + kernel
        + ", ROCm "
        + rocm
        + "; more than a year apart they may show no device: install the amdgpu-dkms of that ROCm";
  }

  private String access() {
    List<String> closed = new ArrayList<>();
    for (Path device : devices()) {
      if (!Files.isReadable(device) || !Files.isWritable(device)) {
        closed.add("/" + root.relativize(device) + " (group " + group(device) + ")");
      }
    }
    return closed.isEmpty()
        ? "may be read and written"
        : "may not be read and written: "
            + String.join(", ", closed)
            + "; add the user to that group (usermod -aG render,video USER) and log in again";
  }

  private List<Path> devices() {
    List<Path> devices = new ArrayList<>(List.of(root.resolve("dev/kfd")));
    devices.addAll(children(root.resolve("dev/dri"), "renderD*"));
    return devices;
  }

  private static String group(Path file) {
    try {
      return Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .group()
          .getName();
    } catch (IOException | UnsupportedOperationException e) {
      return "unknown";
    }
  }

  /** By the kernel's numbers: 90402 is gfx942, the last two digits in hexadecimal. */
  private List<String> architectures() {
    TreeSet<String> names = new TreeSet<>();
    for (Path node : children(root.resolve("sys/class/kfd/kfd/topology/nodes"), "*")) {
      Matcher target = TARGET.matcher(text(node.resolve("properties")));
      if (target.find() && !target.group(1).equals("0")) {
        names.add(name(Integer.parseInt(target.group(1))));
      }
    }
    return List.copyOf(names);
  }

  private static String name(int version) {
    return "gfx" + version / 10_000 + version / 100 % 100 + Integer.toHexString(version % 100);
  }

  /** Without them rocBLAS ends the process at the first product. */
  private String blasKernels(List<String> architectures) {
    List<String> missing = new ArrayList<>(architectures);
    for (Path folder : blasFolders()) {
      for (Path file : children(folder, "TensileLibrary*")) {
        String name = String.valueOf(file.getFileName());
        missing.removeIf(architecture -> name.contains(architecture));
      }
    }
    return missing.isEmpty()
        ? "there for each architecture"
        : "none for "
            + String.join(", ", missing)
            + ": rocBLAS would end the process; install a rocBLAS with them, or name their folder"
            + " in ROCBLAS_TENSILE_LIBPATH";
  }

  private List<Path> blasFolders() {
    String named = environment.get("ROCBLAS_TENSILE_LIBPATH");
    return named != null
        ? List.of(Path.of(named))
        : libraries.folders().stream().map(folder -> folder.resolve("rocblas/library")).toList();
  }

  private String compiler() {
    return libraries.folders().stream()
        .flatMap(lib -> Stream.of("llvm/bin/clang++", "../llvm/bin/clang++").map(lib::resolve))
        .filter(Files::isExecutable)
        .findFirst()
        .map(clang -> "there: " + clang.normalize())
        .orElse(
            "no clang++ beside the libraries: MIOpen cannot build kernels that it lacks; install"
                + " rocm-llvm");
  }

  private String queues() {
    String queues = environment.get("GPU_MAX_HW_QUEUES");
    return (queues == null ? "4 for each priority" : "GPU_MAX_HW_QUEUES=" + queues)
        + "; more streams than that share one and wait for each other";
  }

  private String serialising() {
    List<String> set = new ArrayList<>();
    SERIALISING.forEach(
        (name, off) -> {
          String value = environment.get(name);
          if (value != null && !value.isEmpty() && !value.equals(off)) {
            set.add(name + "=" + value);
          }
        });
    return set.isEmpty()
        ? "nothing makes launches or copies wait"
        : String.join(", ", set) + ": makes work wait that need not; unset it to measure";
  }

  private String visibility() {
    List<String> set = new ArrayList<>();
    for (String name : VISIBILITY) {
      if (environment.containsKey(name)) {
        set.add(name + "=" + environment.get(name));
      }
    }
    String override = environment.get("HSA_OVERRIDE_GFX_VERSION");
    if (override != null) {
      set.add("HSA_OVERRIDE_GFX_VERSION=" + override + " (kernels of another architecture)");
    }
    return set.isEmpty() ? "every device, under its own number" : String.join(", ", set);
  }

  private static Optional<String> firstLine(Path file) {
    return text(file).lines().findFirst().map(String::strip);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return ""; // not there, or not for everybody
    }
  }

  private static List<Path> children(Path folder, String pattern) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> children = Files.newDirectoryStream(folder, pattern)) {
      children.forEach(found::add);
    } catch (IOException e) {
      found.clear(); // not there
    }
    return found;
  }
}
