package dev.millrace.gpu.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Every source of kernels in this module, and how the compiler that is loaded lays them out. */
final class KernelSources {
  /** With the code objects that our reader is tested with. */
  static final String PARAMETERS = "parameters.hip";

  /** The stand-in's own matrix product is none: it is for CPUs. */
  private static final List<String> FOLDERS =
      List.of("src/test/resources", "src/native/hip-on-cpu/rtc/test");

  /** Tests that have one in a field {@code SOURCE}. */
  private static final List<String> TESTS =
      List.of("kernel.KernelTest", "captured.CapturedAdd", "captured.CapturedProgramTest");

  /** Kernels that are no C functions have to be named. */
  private static final Map<String, String> TEMPLATES =
      Map.of(PARAMETERS, "scale<float>", "kernels.hip", "scale<float, 3>");

  private static final Pattern INCLUDE = Pattern.compile("#include \"(.*)\"");

  private KernelSources() {}

  static List<KernelSource> all() {
    Stream<KernelSource> files = FOLDERS.stream().flatMap(KernelSources::in);
    return Stream.concat(files, TESTS.stream().map(KernelSources::ofTest)).toList();
  }

  private static Stream<KernelSource> in(String folder) {
    Path base = Path.of(System.getProperty("basedir"), folder);
    try (Stream<Path> files = Files.walk(base)) {
      return files
          .filter(file -> file.toString().endsWith(".hip"))
          .sorted()
          .map(KernelSources::read)
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static KernelSource read(Path file) {
    try {
      String text = Files.readString(file);
      String name = file.getFileName().toString();
      KernelSource source = KernelSource.of(name, text);
      if (TEMPLATES.containsKey(name)) {
        source = source.withKernel(String.valueOf(TEMPLATES.get(name)));
      }
      for (MatchResult include : INCLUDE.matcher(text).results().toList()) {
        Path header = file.resolveSibling(include.group(1));
        source = source.withHeader(include.group(1), Files.readString(header));
      }
      return source;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static KernelSource ofTest(String test) {
    try {
      Field source = Class.forName("dev.millrace.gpu." + test).getDeclaredField("SOURCE");
      source.setAccessible(true);
      return (KernelSource) source.get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the source of " + test, e);
    }
  }

  static List<KernelDescription> compile(KernelSource source, String architecture) {
    return CodeObject.of(Compiler.compile(source, architecture).code()).kernels();
  }

  static KernelSource named(String name) {
    return all().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  /**
   * A line for each kernel: where its arguments lie and what they are. One source has barriers,
   * which the stand-in refuses.
   */
  static List<String> layouts(String architecture) {
    return all().stream()
        .filter(source -> !source.name().equals(PARAMETERS))
        .flatMap(source -> layouts(Compiler.compile(source, architecture)))
        .sorted()
        .toList();
  }

  /** By the names in the source: those in the code object are the compiler's. */
  private static Stream<String> layouts(CompiledSource compiled) {
    Map<String, String> names = new HashMap<>();
    compiled.names().forEach((inSource, inCode) -> names.put(inCode, inSource));
    return CodeObject.of(compiled.code()).kernels().stream()
        .map(one -> names.getOrDefault(one.name(), one.name()) + " " + parameters(one));
  }

  private static List<String> parameters(KernelDescription kernel) {
    return kernel.parameters().stream().map(one -> one.offset() + ": " + one).toList();
  }

  /** Prints the layouts. */
  public static void main(String[] architecture) {
    layouts(architecture[0]).forEach(System.out::println);
  }
}
