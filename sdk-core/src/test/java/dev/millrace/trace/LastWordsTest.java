package dev.millrace.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LastWordsTest {
  @TempDir private Path folder;
  private Path file;
  private LastWords words;

  @BeforeEach
  void create() throws IOException {
    file = folder.resolve("last.words");
    words = LastWords.create(file);
  }

  @Test
  void nameTheRunsThatAreInFlight() throws IOException {
    int first = words.take();
    int second = words.take();
    words.write(first, 7, LastWords.nameOf("übersetzer"), 3);
    words.write(second, 8, LastWords.nameOf("b"), 4);
    words.clear(second);
    assertThat(LastWords.read(file))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.run()).isEqualTo(7);
              assertThat(entry.program()).isEqualTo("übersetzer");
              assertThat(entry.stream()).isEqualTo(3);
              assertThat(entry.begin())
                  .isCloseTo(Instant.now(), Assertions.within(Duration.ofMinutes(1)));
            });
  }

  @Test
  void listTheOldestRunFirst() throws IOException {
    for (int run = 1; run <= 20; run++) {
      words.write(20 - run, run, LastWords.nameOf("p"), 1);
    }
    assertThat(LastWords.read(file)).extracting(LastWords.Entry::run).isSorted().hasSize(20);
  }

  @Test
  void cutALongNameAndKeepTheRest() throws IOException {
    String name = "n".repeat(1_000);
    words.write(5, 1, LastWords.nameOf(name), 1);
    words.write(6, 2, LastWords.nameOf("next"), 2);
    assertThat(LastWords.read(file))
        .extracting(LastWords.Entry::program)
        .satisfiesExactlyInAnyOrder(
            cut -> assertThat(name).startsWith(cut), whole -> assertThat(whole).isEqualTo("next"));
  }

  @Test
  void giveEachRunASlotOfItsOwnAsLongAsThereAreAny() {
    Set<Integer> slots = new HashSet<>();
    int slot = words.take();
    while (slot >= 0) {
      assertThat(slots.add(slot)).isTrue();
      slot = words.take();
    }
    words.giveBack(17);
    assertThat(words.take()).isEqualTo(17);
  }

  @Test
  void refuseAFileOfSomethingElse() throws IOException {
    Path other = Files.writeString(folder.resolve("other"), "x".repeat(500));
    assertThatThrownBy(() -> LastWords.read(other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("other");
  }
}
