package dev.millrace.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KernelCacheTest {
  private static final KernelSource SOURCE = KernelSource.of("a.hip", "void a() {}");
  private static final List<String> OPTIONS = List.of("--offload-arch=gfx942");
  private static final CompiledSource MADE =
      new CompiledSource(new byte[] {1, 2, 3}, Map.of("scale<float>", "_Z5scale"));

  @TempDir Path folder;

  private final AtomicInteger compiled = new AtomicInteger();

  private CompiledSource get(Path where) {
    return new KernelCache(where)
        .get(
            SOURCE,
            OPTIONS,
            "hiprtc=6.4",
            () -> {
              compiled.incrementAndGet();
              return MADE;
            });
  }

  private static void assertMade(CompiledSource got) {
    assertThat(got.code()).containsExactly(1, 2, 3);
    assertThat(got.names()).containsExactly(Map.entry("scale<float>", "_Z5scale"));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void compilesOnceAndThenReads() throws IOException {
    Path deep = folder.resolve("millrace").resolve("kernels");
    assertMade(get(deep));
    assertMade(get(deep));
    assertThat(compiled).hasValue(1);
    assertThat(files(deep)).singleElement().asString().endsWith(".hsaco");
  }

  @Test
  void offKeepsNothing() {
    KernelCache off = new KernelCache(null);
    off.get(SOURCE, OPTIONS, "v", () -> MADE);
    off.get(
        SOURCE,
        OPTIONS,
        "v",
        () -> {
          compiled.incrementAndGet();
          return MADE;
        });
    assertThat(compiled).hasValue(1);
  }

  @Test
  void aDamagedFileIsReplaced() throws IOException {
    assertMade(get(folder));
    Path file = files(folder).getFirst();
    byte[] whole = Files.readAllBytes(file);
    for (int length : new int[] {0, 1, 31, 32, whole.length - 1}) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertMade(get(folder));
      assertThat(Files.readAllBytes(file)).isEqualTo(whole);
    }
    for (int at = 0; at < whole.length; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= 0x10;
      Files.write(file, changed);
      assertMade(get(folder));
      assertThat(Files.readAllBytes(file)).isEqualTo(whole);
    }
    assertThat(compiled).hasValue(1 + 5 + whole.length);
  }

  @Test
  void aFolderThatCannotBeWrittenCostsOnlyTime() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "in the way");
    assertMade(get(file));
    assertMade(get(file));
    assertThat(compiled).hasValue(2);
  }

  @Test
  void allThatDecidesTheCodeIsInTheKey() {
    Set<String> keys =
        Set.of(
            key(SOURCE, OPTIONS, "1"),
            key(SOURCE, OPTIONS, "2"),
            key(SOURCE, List.of("--offload-arch=gfx90a"), "1"),
            key(KernelSource.of("b.hip", SOURCE.text()), OPTIONS, "1"),
            key(KernelSource.of("a.hip", "void b() {}"), OPTIONS, "1"),
            key(SOURCE.withHeader("h", "x"), OPTIONS, "1"),
            key(SOURCE.withHeader("h", "y"), OPTIONS, "1"),
            key(SOURCE.withHeader("hx", ""), OPTIONS, "1"),
            key(SOURCE.withKernel("a<int>"), OPTIONS, "1"),
            key(SOURCE, List.of("-x", "y"), "1"),
            key(SOURCE, List.of("-xy"), "1"));
    assertThat(keys).hasSize(11); // Set.of would have thrown for two that are equal
  }

  private static String key(KernelSource source, List<String> options, String version) {
    return KernelCache.key(source, options, version);
  }

  @Test
  void writersAndReadersAtOnceNeverSeeHalfAFile() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(
            threads.submit(
                () -> {
                  for (int turn = 0; turn < 200; turn++) {
                    assertMade(get(folder));
                    for (Path file : files(folder)) {
                      if (turn % 3 == 0 && file.toString().endsWith(".hsaco")) {
                        Files.deleteIfExists(file);
                      }
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertMade(get(folder));
    assertThat(files(folder)).singleElement().asString().endsWith(".hsaco");
  }
}
