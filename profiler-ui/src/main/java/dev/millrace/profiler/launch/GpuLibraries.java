package dev.millrace.profiler.launch;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where AMD's libraries may be, in the order in which they are looked for. Loads nothing. */
final class GpuLibraries {
  static final List<String> NAMES =
      List.of("libamdhip64.so", "librocblas.so", "libMIOpen.so", "libmigraphx_c.so");

  private final Path root;
  private final Map<String, String> environment;

  /**
   * Looks below a folder that stands for {@code /}.
   *
   * @param environment the process's variables
   */
  GpuLibraries(Path root, Map<String, String> environment) {
    this.root = root;
    this.environment = environment;
  }

  /** The folders that are searched, whether they are there or not. */
  List<Path> folders() {
    List<Path> folders = new ArrayList<>();
    addNamed(folders, environment.get("ROCM_PATH"));
    addNamed(folders, environment.get("HIP_PATH"));
    folders.add(root.resolve("opt/rocm/lib"));
    folders.addAll(matching(root.resolve("opt/rocm"), "core-*"));
    folders.addAll(matching(root.resolve("opt"), "rocm-*"));
    addLoaderPath(folders);
    return folders;
  }

  private static void addNamed(List<Path> folders, @Nullable String folder) {
    if (folder != null && !folder.isBlank()) {
      folders.add(Path.of(folder).resolve("lib"));
    }
  }

  /** The newest first; where there is none, the pattern, so that it is seen to be searched. */
  private static List<Path> matching(Path parent, String pattern) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> children = Files.newDirectoryStream(parent, pattern)) {
      children.forEach(it -> found.add(it.resolve("lib")));
    } catch (IOException e) {
      found.clear(); // The parent is not there, which is the ordinary case.
    }
    found.sort(Comparator.<Path>naturalOrder().reversed());
    return found.isEmpty() ? List.of(parent.resolve(pattern).resolve("lib")) : found;
  }

  private void addLoaderPath(List<Path> folders) {
    for (String folder : environment.getOrDefault("LD_LIBRARY_PATH", "").split(":", -1)) {
      if (!folder.isBlank()) {
        folders.add(Path.of(folder));
      }
    }
    folders.add(root.resolve("usr/lib/x86_64-linux-gnu"));
    folders.add(root.resolve("usr/lib64"));
    folders.add(root.resolve("usr/local/lib"));
  }

  /** The files of this library in that folder: {@code libX.so}, {@code libX.so.7} and so on. */
  static List<Path> files(Path folder, String library) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(it -> isVersionOf(it, library)).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static boolean isVersionOf(Path file, String library) {
    String name = String.valueOf(file.getFileName());
    return name.equals(library) || name.startsWith(library + ".");
  }

  /** Whether the kernel driver's device can be opened, in a few words. */
  String kernelDriver() {
    Path kfd = root.resolve("dev/kfd");
    if (!Files.exists(kfd)) {
      return "absent";
    }
    return Files.isReadable(kfd) && Files.isWritable(kfd)
        ? "there"
        : "there, but this user may not open it (groups video and render)";
  }
}
