package dev.millrace.gpu.ffi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Where the libraries that were loaded come from. */
public final class LibraryFiles {
  private LibraryFiles() {}

  /**
   * The file of a library that is mapped in this process.
   *
   * @param name the library without {@code lib} and {@code .so}
   * @return its file, links resolved; empty if it is not mapped or cannot be found out
   */
  public static Optional<Path> mapped(String name) {
    return LibrarySearch.mapped(name).stream().findFirst().map(Path::of).map(LibraryFiles::real);
  }

  /** Without links, or as it is where that cannot be found out. */
  static Path real(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      return file;
    }
  }
}
