package dev.millrace.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BlasKernelsTest {
  @TempDir Path folder;

  @Test
  void findsTheFilesOfAnArchitectureBelowTheFolder() throws IOException {
    Path library = Files.createDirectories(folder.resolve("4.4.1").resolve("library"));
    Files.createFile(library.resolve("TensileLibrary_lazy_gfx90a.dat"));
    Files.createFile(library.resolve("Kernels.so-000-gfx942.hsaco"));
    assertThat(BlasKernels.hasKernels(folder, "gfx90a")).isTrue();
    assertThat(BlasKernels.hasKernels(folder, "gfx942")).isFalse();
    assertThat(BlasKernels.hasKernels(folder, "gfx90")).isFalse();
  }

  @Test
  void aFolderThatIsNotThereHasNone() {
    assertThat(BlasKernels.hasKernels(folder.resolve("none"), "gfx90a")).isFalse();
  }
}
