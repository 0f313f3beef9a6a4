package dev.millrace.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.error.DeviceException;
import dev.millrace.handle.StreamOptions;
import dev.millrace.model.CompileOptions;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.Tensor;
import dev.millrace.testing.Seeds;
import dev.millrace.testing.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Random runs of one program, by several threads on several streams, with few lanes. */
class ProgramLaneModelTest {
  private static final int CASES = 25;
  private static final int THREADS = 4;
  private static final int RUNS_EACH = 60;

  @Test
  void runsOneAtATimeInALaneAndLetsGoOfEverything(TestInfo info) {
    Seeds.of(info).forEach(CASES, random -> new Case(random).run());
  }

  /** How often somebody was told of a run that failed. */
  private static final class Telling {
    final Map<Long, Integer> byStream = new ConcurrentHashMap<>();
    final Map<Long, Integer> byRun = new ConcurrentHashMap<>();
    final Map<Long, Boolean> expected = new ConcurrentHashMap<>();
    final Set<Long> settled = ConcurrentHashMap.newKeySet();

    /** A submission or a synchronisation threw: the stream told of earlier runs. */
    void stream(DeviceException told) {
      Stream.concat(Stream.ofNullable(told.getCause()), Stream.of(told.getSuppressed()))
          .forEach(one -> count(byStream, one));
    }

    void run(DeviceException told) {
      count(byRun, told.getCause());
    }

    /**
     * The run was asked, and no other thread asks its stream: that has nothing to tell any more.
     */
    void settled(long key) {
      if (!byStream.containsKey(key)) {
        settled.add(key);
      }
    }

    private static void count(Map<Long, Integer> times, @Nullable Throwable failure) {
      if (!(failure instanceof CheckedProgram.Planned planned)) {
        throw new AssertionError("nobody planned this", failure);
      }
      times.merge(planned.key, 1, Integer::sum);
    }

    void check() {
      assertThat(byStream).allSatisfy((key, times) -> assertThat(times).isEqualTo(1));
      assertThat(byStream.keySet())
          .as("told by run, then by stream")
          .doesNotContainAnyElementsOf(settled);
      assertThat(expected.keySet()).containsAll(byStream.keySet()).containsAll(byRun.keySet());
      expected.forEach(
          (key, asked) ->
              assertThat(asked ? byRun : byStream).as("failures told").containsKey(key));
    }
  }

  private static final class Case {
    private final SplittableRandom random;
    private final Device device = Device.open("host");
    private final CheckedProgram loaded = new CheckedProgram(device.driver());
    private final Telling telling = new Telling();
    private final List<DeviceStream> streams = new ArrayList<>();
    private final int maxInFlight;
    private final boolean closedEarly;
    private final Program program;

    Case(SplittableRandom random) {
      this.random = random;
      this.maxInFlight = random.nextInt(4);
      this.closedEarly = random.nextInt(3) == 0;
      CompileOptions options = CompileOptions.defaults().withLanes(random.nextInt(1, 4));
      this.program =
          loaded.on(device, maxInFlight == 0 ? options : options.withMaxInFlight(maxInFlight));
      streams.add(device.nullStream());
      streams.add(device.newStream(StreamOptions.defaults().withBlocking()));
      streams.add(device.newStream());
      streams.add(device.newStream());
    }

    void run() throws InterruptedException {
      List<Threads.Task> clients = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Client client = new Client(this, i, random.split());
        clients.add(client::run);
      }
      Threads.together(clients);
      program.close();
      streams.forEach(stream -> ask(stream::synchronize));
      streams.forEach(DeviceStream::close);
      device.close();
      check();
    }

    private void check() {
      assertThat(loaded.wrong).isEmpty();
      assertThat(loaded.runs).hasPositiveValue();
      assertThat(loaded.closed).as("times that the program was closed").hasValue(1);
      assertThat(loaded.openArguments).as("arguments still open").hasValue(0);
      if (maxInFlight > 0) {
        assertThat(loaded.mostInFlight.get()).isLessThanOrEqualTo(maxInFlight);
      }
      telling.check();
    }

    /** Whether that went well; if not, the stream said which runs had failed. */
    boolean ask(Runnable call) {
      try {
        call.run();
        return true;
      } catch (DeviceException e) {
        telling.stream(e);
        return false;
      }
    }
  }

  /** One thread, with arguments of its own. */
  private static final class Client {
    private final Case here;
    private final SplittableRandom random;
    private final List<Slot> slots = new ArrayList<>();
    private final DeviceStream mine;
    private long lastKey;

    Client(Case here, int number, SplittableRandom random) {
      this.here = here;
      this.random = random;
      this.mine = here.device.newStream();
      this.lastKey = number * 1_000_000L;
      for (int i = 0; i < 3; i++) {
        slots.add(new Slot(here, i));
      }
    }

    void run() {
      try {
        for (int i = 0; i < RUNS_EACH; i++) {
          one(slots.get(random.nextInt(slots.size())));
          if (here.closedEarly && i == RUNS_EACH / 2) {
            here.program.close();
          }
        }
      } catch (IllegalStateException e) {
        if (!here.closedEarly || !String.valueOf(e.getMessage()).contains("run closed checked")) {
          throw e;
        }
      }
      slots.forEach(slot -> slot.close(random.nextBoolean()));
      here.ask(mine::synchronize);
      mine.close();
    }

    private void one(Slot slot) {
      slot.finish();
      long value = random.nextInt(1, 1000);
      slot.next(random.nextInt(8) == 0 ? -value : value, ++lastKey);
      DeviceStream stream = here.streams.get(random.nextInt(here.streams.size()));
      switch (random.nextInt(24)) {
        case 0, 1, 2, 3 -> slot.run();
        case 4, 5, 6, 7 -> slot.submit(stream);
        case 8, 9 -> onAStreamThatIsClosedAtOnce(slot);
        case 10, 11 -> onAStreamOfItsOwn(slot);
        case 12 -> refused(stream);
        default ->
            slot.runAsync(stream, random.nextBoolean() ? RunMode.EXTERNAL : RunMode.FORK_JOIN);
      }
    }

    private void onAStreamOfItsOwn(Slot slot) {
      slot.runAsync(mine, random.nextBoolean() ? RunMode.EXTERNAL : RunMode.FORK_JOIN);
      slot.finish();
      here.telling.settled(lastKey);
    }

    private void refused(DeviceStream stream) {
      try (Arguments arguments = here.program.arguments()) {
        arguments.input("x").close();
        arguments.output("y");
        here.program.submit(arguments, stream);
        here.loaded.wrong.add("a run with a closed tensor was taken");
      } catch (DeviceException e) {
        here.telling.stream(e);
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageContaining("closed");
      }
    }

    private void onAStreamThatIsClosedAtOnce(Slot slot) {
      try (DeviceStream stream = here.device.newStream()) {
        slot.runAsync(stream, random.nextBoolean() ? RunMode.EXTERNAL : RunMode.FORK_JOIN);
        slot.streamIsClosed = true;
      }
    }
  }

  /** Arguments with at most one run in flight. */
  private static final class Slot {
    private final Case here;
    private final Arguments arguments;
    private final Tensor input;
    private CountDownLatch filled = new CountDownLatch(0);
    private CountDownLatch checked = new CountDownLatch(0);
    private long value;
    private long key;
    private @Nullable Run run;
    private @Nullable DeviceStream submittedTo;
    private boolean streamIsClosed;

    Slot(Case here, int number) {
      this.here = here;
      this.arguments = here.program.arguments();
      this.input = arguments.input("x");
      if (number > 0) {
        arguments.output("y"); // else each run allocates it
      }
    }

    void next(long newValue, long newKey) {
      value = newValue;
      key = newKey;
    }

    private void fill() {
      input.write(new long[] {value, key});
    }

    /** The run that should follow may be refused: the input is still written, and waited for. */
    private boolean fillOn(DeviceStream stream) {
      CountDownLatch done = new CountDownLatch(1);
      boolean submitted = here.ask(() -> stream.call(() -> fillAndCount(done)));
      if (submitted) {
        filled = done;
      }
      return submitted;
    }

    private void fillAndCount(CountDownLatch done) {
      try {
        fill();
      } finally {
        done.countDown();
      }
    }

    void run() {
      fill();
      plan(true);
      try (Run done = here.program.run(arguments)) {
        check(done.output("y"));
      } catch (DeviceException e) {
        here.telling.run(e);
      } catch (IllegalStateException e) {
        here.telling.expected.remove(key);
        throw e;
      }
    }

    void runAsync(DeviceStream stream, RunMode mode) {
      if (fillOn(stream) && here.ask(() -> run = here.program.runAsync(arguments, stream, mode))) {
        plan(true);
        checkInOrder(stream, Objects.requireNonNull(run).output("y"));
      }
    }

    void submit(DeviceStream stream) {
      if (fillOn(stream) && here.ask(() -> here.program.submit(arguments, stream))) {
        plan(false);
        submittedTo = stream;
        checkInOrder(stream, arguments.output("y"));
      }
    }

    /** What the caller's stream was told before comes before the run, what it is told now after. */
    private void checkInOrder(DeviceStream stream, Tensor result) {
      checked = new CountDownLatch(1);
      boolean submitted = false;
      while (!submitted) {
        submitted = here.ask(() -> stream.call(() -> checkAndCount(result)));
      }
    }

    private void checkAndCount(Tensor result) {
      try {
        check(result);
      } catch (AssertionError e) {
        here.loaded.wrong.add("in the stream's order: " + e.getMessage());
      } finally {
        checked.countDown();
      }
    }

    private void plan(boolean asked) {
      if (value < 0) {
        here.telling.expected.put(key, asked);
      }
    }

    /** Waits for the run, so that the tensors may be used again. */
    void finish() {
      Run pending = run;
      DeviceStream stream = submittedTo;
      run = null;
      submittedTo = null;
      streamIsClosed = false;
      await(filled);
      await(checked);
      if (pending != null) {
        await(pending);
      } else if (stream != null) {
        here.ask(stream::synchronize);
      }
    }

    private void await(Run pending) {
      try (pending) {
        pending.await();
        check(pending.output("y"));
      } catch (DeviceException e) {
        here.telling.run(e);
      } catch (InterruptedException e) {
        throw new AssertionError("nobody interrupts this thread", e);
      }
    }

    private static void await(CountDownLatch latch) {
      try {
        assertThat(latch.await(60, TimeUnit.SECONDS)).as("the stream's order goes on").isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError("nobody interrupts this thread", e);
      }
    }

    private void check(Tensor result) {
      assertThat(result.readLongs())
          .containsExactly(CheckedProgram.expected(value), CheckedProgram.expected(key));
    }

    /** Closes the arguments, perhaps under a run; only its stream can say how that went. */
    void close(boolean atOnce) {
      Run pending = run;
      if (atOnce && pending != null && !streamIsClosed) {
        plan(false);
        await(checked);
        pending.close();
      } else {
        finish();
      }
      arguments.close();
    }
  }
}
