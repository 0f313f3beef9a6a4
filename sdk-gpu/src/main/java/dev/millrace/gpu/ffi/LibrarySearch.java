package dev.millrace.gpu.ffi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The places where a library of ROCm may be, best first: the copy that the process has mapped
 * already, the folder of {@code -Dmillrace.rocm}, the usual installations, the system's loader. A
 * second copy of HIP in a process would know nothing of the first one's streams.
 */
final class LibrarySearch {
  /** The folder that holds ROCm's libraries, and the only one then. */
  static final String FOLDER_PROPERTY = "millrace.rocm";

  private static final Path MAPS = Path.of("/proc/self/maps");
  private static final Path OPT = Path.of("/opt");

  private LibrarySearch() {}

  /**
   * What to pass to {@code dlopen}, in order. Links are resolved: rocBLAS looks for its kernels
   * beside the name by which it was loaded.
   *
   * @param name the library without {@code lib} and {@code .so}
   * @param versions its versions, newest first
   */
  static List<String> candidates(String name, List<Integer> versions) {
    List<String> mapped = mapped(name);
    if (!mapped.isEmpty()) {
      return mapped;
    }
    List<String> files = fileNames(name, versions);
    List<String> found = new ArrayList<>();
    for (Path folder : folders()) {
      files.stream()
          .map(folder::resolve)
          .filter(Files::exists)
          .map(file -> LibraryFiles.real(file).toString())
          .forEach(found::add);
    }
    if (System.getProperty(FOLDER_PROPERTY) == null) {
      found.addAll(files);
    } else if (found.isEmpty()) {
      found.add(Path.of(System.getProperty(FOLDER_PROPERTY), files.getFirst()).toString());
    }
    return found;
  }

  private static List<String> fileNames(String name, List<Integer> versions) {
    List<String> files = new ArrayList<>();
    versions.forEach(version -> files.add("lib" + name + ".so." + version));
    files.add("lib" + name + ".so");
    return files;
  }

  static List<String> mapped(String name) {
    if (!Files.isReadable(MAPS)) {
      return List.of();
    }
    try (Stream<String> lines = Files.lines(MAPS)) {
      return lines
          .map(line -> line.substring(line.indexOf('/') < 0 ? line.length() : line.indexOf('/')))
          .filter(path -> path.contains("/lib" + name + ".so"))
          .distinct()
          .limit(1)
          .toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of(); // a process that may not look at itself has mapped nothing we could find
    }
  }

  private static Set<Path> folders() {
    String chosen = System.getProperty(FOLDER_PROPERTY);
    if (chosen != null) {
      return Set.of(Path.of(chosen));
    }
    Set<Path> folders = new LinkedHashSet<>();
    addLib(folders, System.getenv("ROCM_PATH"));
    addLib(folders, System.getenv("HIP_PATH"));
    folders.add(OPT.resolve("rocm/lib"));
    installed(OPT.resolve("rocm"), "core-*").forEach(found -> folders.add(found.resolve("lib")));
    installed(OPT, "rocm-*").forEach(found -> folders.add(found.resolve("lib")));
    return folders;
  }

  private static void addLib(Set<Path> folders, @Nullable String root) {
    if (root != null && !root.isEmpty()) {
      folders.add(Path.of(root, "lib"));
    }
  }

  /** Newest first, as far as names say so. */
  private static List<Path> installed(Path parent, String pattern) {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(parent)) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, pattern)) {
        folders.forEach(found::add);
      } catch (IOException e) {
        return List.of();
      }
    }
    found.sort(Collections.reverseOrder());
    return found;
  }
}
