package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.millrace.binding.StreamBinding;
import dev.millrace.error.DeviceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Row 7, for handles: each question and each move of each of three handles fails in turn. */
@DisplayName("Row 7: a handle that fails")
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
public abstract class HandleFaultContract {
  private static final Duration HANG = Duration.ofSeconds(30);

  /** As often as the chain asks or moves one handle: two bindings, each closed again. */
  private static final int QUESTIONS = 2;

  private static final int MOVES = 4;

  /**
   * Which kind of device is tested.
   *
   * @return the kind
   */
  protected abstract DeviceUnderTest kind();

  /**
   * Two nested bindings with a run in each, of which each handle sees two questions, four moves.
   */
  private static void chain(Bench bench) {
    try (StreamBinding _ = bench.context.bind(bench.s)) {
      bench.closing(bench.add.program().runAsync(bench.arguments, bench.context));
      try (StreamBinding _ = bench.context.bind(bench.t)) {
        bench.closing(bench.add.program().runAsync(bench.arguments, bench.context));
      }
    }
  }

  private static @Nullable Throwable thrownByChain(Bench bench) {
    try {
      chain(bench);
      return null;
    } catch (RuntimeException thrown) {
      return thrown;
    }
  }

  @Test
  void isAskedAndMovedAsOftenAsThisTestAssumes() throws Exception {
    try (Bench bench = new Bench(kind())) {
      chain(bench);
      assertThat(bench.moves).hasSize(3 * MOVES);
      bench.handles.getFirst().failGetter(QUESTIONS + 1);
      chain(bench);
      assertThatThrownBy(bench.handles.getFirst()::stream).isInstanceOf(RuntimeException.class);
    }
  }

  @TestFactory
  Stream<DynamicNode> whenAskedLeavesAllAsItWas() {
    return cases(QUESTIONS, "question", this::failGetter);
  }

  @TestFactory
  Stream<DynamicNode> whenMovedOnceLeavesAllAsItWasOrIsRefusedLater() {
    return cases(MOVES, "move", (handle, n) -> failSetter(handle, n, 1));
  }

  @TestFactory
  Stream<DynamicNode> whenMovedAndPutBackIsRefusedLater() {
    return cases(MOVES, "move", (handle, n) -> failSetter(handle, n, 2));
  }

  private interface Case {
    void run(int handle, int n) throws Exception;
  }

  private static Stream<DynamicNode> cases(int each, String what, Case one) {
    return IntStream.range(0, 3 * each)
        .mapToObj(
            i ->
                DynamicTest.dynamicTest(
                    "handle " + (i / each + 1) + ", " + what + " " + (i % each + 1),
                    () -> assertTimeoutPreemptively(HANG, () -> one.run(i / each, i % each + 1))));
  }

  private void failGetter(int index, int n) throws Exception {
    try (Bench bench = new Bench(kind())) {
      LoggingHandle handle = bench.handles.get(index);
      handle.failGetter(n);
      assertNames(thrownByChain(bench), handle, "stream");
      bench.assertAsBefore();
      bench.assertNothingPending();
      bench.assertWorks();
    }
  }

  private void failSetter(int index, int n, int times) throws Exception {
    try (Bench bench = new Bench(kind())) {
      LoggingHandle handle = bench.handles.get(index);
      handle.failSetter(n, times);
      assertNames(thrownByChain(bench), handle, "setStream");
      List<LoggingHandle> others = new ArrayList<>(bench.handles);
      others.remove(handle);
      assertThat(others).allMatch(bench::isHome, "is home");
      // Moves 1 and 2 bind, so that going back is a second try; 3 and 4 put back.
      boolean broken = n > 2 || times > 1;
      if (broken) {
        assertRefusedUntilDetached(bench, handle);
      }
      bench.assertNothingPending();
      bench.assertWorks();
    }
  }

  private static void assertNames(
      @Nullable Throwable thrown, LoggingHandle handle, String function) {
    assertThat(thrown)
        .isInstanceOf(DeviceException.class)
        .hasCause(handle.failure())
        .hasMessageContaining(handle.name())
        .hasMessageContaining(String.valueOf(handle.failure().getMessage()))
        .asInstanceOf(InstanceOfAssertFactories.type(DeviceException.class))
        .extracting(DeviceException::function)
        .isEqualTo(function);
  }

  private static void assertRefusedUntilDetached(Bench bench, LoggingHandle handle) {
    bench.moves.clear();
    assertThatThrownBy(() -> bench.context.bind(bench.s))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(handle.name())
        .hasMessageContaining("detach");
    assertThat(bench.moves).isEmpty();
    assertThat(bench.context.isExternal()).isFalse();
    bench.context.detach(handle);
    bench.handles.remove(handle);
  }

  @Test
  void thatCannotBePutBackIsToldWithTheOtherFailuresSuppressed() throws Exception {
    try (Bench bench = new Bench(kind())) {
      StreamBinding binding = bench.context.bind(bench.s);
      LoggingHandle first = bench.handles.getFirst();
      LoggingHandle last = bench.handles.getLast();
      first.failSetter(1, 1);
      last.failSetter(1, 1);
      assertThatThrownBy(binding::close)
          .hasCause(last.failure())
          .satisfies(
              thrown ->
                  assertThat(thrown.getSuppressed())
                      .singleElement()
                      .extracting(Throwable::getCause)
                      .isSameAs(first.failure()));
      assertThat(bench.isHome(bench.handles.get(1))).isTrue();
      assertRefusedUntilDetached(bench, first);
      assertRefusedUntilDetached(bench, last);
      bench.assertWorks();
    }
  }

  @Test
  void thatCannotBePutBackIsSuppressedByWhatWasThrownMeanwhile() throws Exception {
    try (Bench bench = new Bench(kind())) {
      LoggingHandle handle = bench.handles.getFirst();
      String submission = kind().failNextSubmission(bench.driver);
      handle.failSetter(2, 1);
      Throwable thrown = thrownByChain(bench);
      assertThat(thrown).isInstanceOf(DeviceException.class).hasMessageContaining(submission);
      assertThat(Objects.requireNonNull(thrown).getSuppressed())
          .singleElement()
          .extracting(Throwable::getCause)
          .isSameAs(handle.failure());
      assertRefusedUntilDetached(bench, handle);
      bench.assertWorks();
    }
  }

  @Test
  void withTheSameExceptionEachTimeDoesNotKeepTheOthersFromGoingBack() throws Exception {
    try (Bench bench = new Bench(kind())) {
      DeviceException same =
          DeviceException.of("move", bench.device.id(), "rocblas_set_stream", 1, "error");
      LoggingHandle handle = bench.handles.get(1);
      handle.failSetter(1, 2);
      handle.failWith(same);
      assertThat(thrownByChain(bench)).isSameAs(same);
      assertThat(bench.handles).allMatch(bench::isHome, "is home");
      assertRefusedUntilDetached(bench, handle);
      bench.assertWorks();
    }
  }
}
