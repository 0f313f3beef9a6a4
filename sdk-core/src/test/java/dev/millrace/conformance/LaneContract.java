package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.CompileOptions;
import dev.millrace.program.Arguments;
import dev.millrace.program.Run;
import dev.millrace.program.RunMode;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows 13 and 14: runs of one program on several streams. */
public abstract class LaneContract extends DeviceContract {
  private static final int ROUNDS = 1_000;

  private DeviceStream s;
  private DeviceStream t;

  @BeforeEach
  void makeStreams() {
    s = newStream();
    t = newStream();
  }

  private AddProgram addWithLanes(int lanes) {
    return newAddProgram(CompileOptions.defaults().withLanes(lanes));
  }

  @Nested
  @DisplayName("Row 13: two threads, one program, two streams")
  class TwoThreads {

    @ParameterizedTest(name = "lanes={0} mode={1}")
    @CsvSource({"1, EXTERNAL", "2, EXTERNAL", "1, FORK_JOIN", "2, FORK_JOIN"})
    void getRightResultsAlways(int lanes, RunMode mode) throws Exception {
      AddProgram add = addWithLanes(lanes);
      CountDownLatch begin = new CountDownLatch(1);
      List<SecondThread<Void>> clients = new ArrayList<>();
      for (int client = 0; client < 2; client++) {
        Client one = new Client(add, client == 0 ? s : t, mode, client * ROUNDS);
        clients.add(SecondThread.start("client-" + client, () -> one.runAll(begin)));
      }
      begin.countDown();
      for (SecondThread<Void> client : clients) {
        client.result();
      }
    }

    /** Keeps a few runs on their way at a time, each with inputs of its own. */
    private final class Client {
      private static final int AHEAD = 8;

      private final AddProgram add;
      private final DeviceStream stream;
      private final RunMode mode;
      private final int first;
      private final List<Arguments> arguments = new ArrayList<>();
      private final List<Tensor> inputs = new ArrayList<>();
      private final List<Tensor> sources = new ArrayList<>();
      private final List<Tensor> results = new ArrayList<>();

      Client(AddProgram add, DeviceStream stream, RunMode mode, int first) {
        this.add = add;
        this.stream = stream;
        this.mode = mode;
        this.first = first;
        for (int i = 0; i < AHEAD; i++) {
          arguments.add(closing(add.completeArguments(0)));
          inputs.add(arguments.get(i).input("a"));
          sources.add(newHostTensor());
          results.add(closing(device.allocate(DataType.FLOAT, Shape.of(AddProgram.ELEMENTS))));
        }
      }

      Void runAll(CountDownLatch begin) throws Exception {
        begin.await();
        for (int round = 0; round < ROUNDS; round += AHEAD) {
          for (int i = 0; i < AHEAD; i++) {
            submit(first + round + i, i);
          }
          stream.synchronize();
          for (int i = 0; i < AHEAD; i++) {
            AddProgram.assertSum(results.get(i), first + round + i);
          }
        }
        return null;
      }

      // Everything is in stream order: nobody waits for the input, the run or the copy.
      private void submit(int number, int slot) {
        Tensor input = inputs.get(slot);
        sources.get(slot).write(AddProgram.a(number)); // its last copy was waited for
        stream.copy(sources.get(slot), input);
        try (Run run = add.program().runAsync(arguments.get(slot), stream, mode)) {
          stream.copy(run.output("sum"), results.get(slot));
        }
      }
    }

    @Test
    void shareALaneWithoutTheHostWaitingForTheDevice() {
      AddProgram add = addWithLanes(1);
      Arguments onS = closing(add.completeArguments(1));
      Arguments onT = closing(add.completeArguments(2));
      try (Gate _ = Gate.on(s)) {
        for (int i = 0; i < 20; i++) {
          add.program().submit(onS, s);
          add.program().submit(onT, t);
        }
        assertHeld(t);
      }
      s.synchronize();
      t.synchronize();
      AddProgram.assertSum(onS.output("sum"), 1);
      AddProgram.assertSum(onT.output("sum"), 2);
    }

    @Test
    void areOrderedOnTheDeviceWhenLanesRunOut() {
      AddProgram add = addWithLanes(1);
      List<String> done = Collections.synchronizedList(new ArrayList<>());
      try (Gate _ = Gate.on(s)) {
        closing(add.program().runAsync(closing(add.arguments(1)), s));
        s.call(() -> done.add("after the run on s"));
        closing(add.program().runAsync(closing(add.arguments(2)), t));
        t.call(() -> done.add("after the run on t"));
        assertHeld(t);
        assertThat(done).isEmpty();
      }
      t.synchronize();
      assertThat(done).contains("after the run on t");
      s.synchronize();
    }

    @Test
    void doNotWaitForOneAnotherWhileLanesAreLeft() {
      AddProgram add = addWithLanes(2);
      Arguments onS = closing(add.arguments(1));
      try (Gate _ = Gate.on(s)) {
        closing(add.program().runAsync(onS, s));
        add.assertRuns(t, 2);
        add.assertRuns(t, 3);
      }
      s.synchronize();
      assertThat(add.program().lanes()).isEqualTo(2);
    }

    @Test
    void takeALaneThatIsIdleBeforeOneThatTheyWouldWaitFor() {
      AddProgram add = addWithLanes(3);
      DeviceStream u = newStream();
      try (Gate _ = Gate.on(s);
          Gate _ = Gate.on(t)) {
        closing(add.program().runAsync(closing(add.arguments(1)), s));
        closing(add.program().runAsync(closing(add.arguments(2)), t));
        for (int i = 0; i < 10; i++) {
          add.assertRuns(u, 3);
        }
      }
    }

    @Test
    void stayWithTheirOwnLaneWhenAllAreTaken() {
      AddProgram add = addWithLanes(2);
      try (Gate gateOfS = Gate.on(s);
          Gate gateOfT = Gate.on(t)) {
        for (int i = 0; i < 4; i++) {
          closing(add.program().runAsync(closing(add.arguments(i)), s));
          closing(add.program().runAsync(closing(add.arguments(i)), t));
        }
        gateOfT.open();
        t.synchronize();
        assertHeld(s);
        gateOfS.open();
      }
      s.synchronize();
    }
  }

  @Nested
  @DisplayName("Row 14: runs of one lane that alternate between streams")
  class Alternate {

    @ParameterizedTest
    @EnumSource(RunMode.class)
    void areJoinedByAnEventThatIsRecordedAfterTheRun(RunMode mode) {
      AddProgram add = addWithLanes(1);
      Arguments arguments = closing(add.completeArguments(1));
      try (Gate _ = Gate.on(s)) {
        driver.log().forget();
        closing(add.program().runAsync(arguments, s, mode));
        DriverCall recorded = driver.log().of("recordEvent").getLast();
        driver.log().forget();
        closing(add.program().runAsync(arguments, t));
        assertThat(driver.log().of("waitEvent"))
            .anyMatch(wait -> wait.event() == recorded.event() && wait.stream() == at(t));
        assertHeld(t);
      }
      t.synchronize();
      s.synchronize();
    }

    private static long at(DeviceStream stream) {
      return stream.handle().address();
    }

    @Test
    void areNotJoinedWhereTheStreamIsTheSame() {
      AddProgram add = addWithLanes(1);
      Arguments arguments = closing(add.completeArguments(1));
      try (Gate _ = Gate.on(s)) {
        add.program().submit(arguments, s);
        driver.log().forget();
        add.program().submit(arguments, s);
        assertThat(driver.log().of("waitEvent")).isEmpty();
      }
      s.synchronize();
    }

    @Test
    void areNotJoinedWhereTheEarlierRunIsDone() throws Exception {
      AddProgram add = addWithLanes(1);
      Arguments arguments = closing(add.completeArguments(1));
      closing(add.program().runAsync(arguments, s)).await();
      driver.log().forget();
      closing(add.program().runAsync(arguments, t)).await();
      assertThat(driver.log().of("waitEvent")).isEmpty();
    }

    @Test
    void areJoinedAlsoWhereTheEarlierStreamWasClosed() {
      AddProgram add = addWithLanes(1);
      Arguments arguments = closing(add.completeArguments(1));
      DeviceStream closed = device.newStream();
      try (Gate _ = Gate.on(closed)) {
        add.program().submit(arguments, closed);
        closed.close();
        add.program().submit(arguments, t);
        assertHeld(t);
      }
      t.synchronize();
    }
  }

  @Nested
  @DisplayName("withMaxInFlight limits how many runs are on their way")
  class MaxInFlight {

    @Test
    void andLetsAFurtherSubmissionWaitUntilOneIsDone() throws Exception {
      AddProgram add = newAddProgram(CompileOptions.defaults().withMaxInFlight(2));
      Arguments arguments = closing(add.completeArguments(1));
      Arguments others = closing(add.completeArguments(2));
      try (Gate gate = Gate.on(s)) {
        add.program().submit(arguments, s);
        add.program().submit(arguments, s);
        SecondThread<Long> third =
            SecondThread.start("third", () -> add.program().submit(others, t));
        third.awaitWaiting();
        assertThat(third.isDone()).isFalse();
        gate.open();
        third.result();
      }
      t.synchronize();
      AddProgram.assertSum(others.output("sum"), 2);
    }

    @Test
    void andNeverLosesOne() {
      AddProgram add = newAddProgram(CompileOptions.defaults().withMaxInFlight(1));
      Arguments arguments = closing(add.completeArguments(1));
      for (int i = 0; i < 50; i++) {
        add.program().submit(arguments, i % 2 == 0 ? s : t);
      }
      s.synchronize();
      t.synchronize();
      AddProgram.assertSum(arguments.output("sum"), 1);
    }

    @Test
    void andIsNotUsedUpByRunsThatAreRefused() {
      AddProgram add = newAddProgram(CompileOptions.defaults().withMaxInFlight(1));
      Arguments arguments = closing(add.completeArguments(1));
      Semaphore refused = new Semaphore(0);
      for (int i = 0; i < 5; i++) {
        kind().failNextSubmission(driver);
        try {
          add.program().submit(arguments, s);
        } catch (RuntimeException e) {
          refused.release();
        }
      }
      assertThat(refused.availablePermits()).isEqualTo(5);
      add.assertRuns(s, 3);
    }
  }
}
