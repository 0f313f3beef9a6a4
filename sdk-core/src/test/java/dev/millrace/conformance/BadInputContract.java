package dev.millrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.DeviceException;
import dev.millrace.model.CompileOptions;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.Run;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.tensor.DataType;
import dev.millrace.tensor.Shape;
import dev.millrace.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is refused before anything runs, saying what was given and what is expected. */
public abstract class BadInputContract extends DeviceContract {
  private AddProgram add;
  private Arguments arguments;
  private DeviceStream s;

  @BeforeEach
  void loadProgram() {
    add = newAddProgram();
    arguments = closing(add.arguments(1));
    s = newStream();
  }

  private Tensor floats(long... dims) {
    return closing(device.allocate(DataType.FLOAT, Shape.of(dims)));
  }

  private void assertRefused(ThrowingCallable use, String... words) {
    driver.log().forget();
    assertThatThrownBy(use)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words);
    assertThat(driver.log().of("call")).isEmpty();
    assertThat(driver.log().of("copy")).isEmpty();
  }

  @Nested
  @DisplayName("Arguments refuse")
  class WrongArguments {

    @Test
    void anotherName() {
      assertRefused(() -> arguments.input("c"), "input=c", "a, b");
      assertRefused(() -> arguments.output("c"), "output=c", "sum");
      assertRefused(() -> arguments.input(2), "input=2", "0 to 1");
      Tensor tensor = floats(AddProgram.ELEMENTS);
      assertRefused(() -> arguments.input("sum", tensor), "input=sum", "a, b");
    }

    @Test
    void anotherType() {
      Tensor longs = closing(device.allocate(DataType.INT64, Shape.of(AddProgram.ELEMENTS)));
      assertRefused(() -> arguments.input("a", longs), "input=a", "INT64", "FLOAT");
      assertRefused(() -> arguments.output("sum", longs), "output=sum", "INT64", "FLOAT");
    }

    @Test
    void anotherShape() {
      Tensor wide = floats(AddProgram.ELEMENTS + 1);
      assertRefused(() -> arguments.input("a", wide), "input=a", "[5]", "[4]");
      assertRefused(() -> arguments.output("sum", wide), "output=sum", "[5]", "[4]");
      Tensor square = floats(2, 2);
      assertRefused(() -> arguments.input("a", square), "input=a", "[4]");
      assertRefused(() -> arguments.allocateInput("a", Shape.of(5)), "input=a", "[5]", "[4]");
    }

    @Test
    void memoryOfAnOpenShape() {
      assertRefused(() -> device.allocate(DataType.FLOAT, Shape.of(2, -1)), "FLOAT", "[2, ?]");
      assertRefused(() -> device.allocate(DataType.FLOAT, Shape.ofAnyRank()), "FLOAT", "[...]");
    }

    @Test
    void aTensorOfAnotherDevice() {
      Device other = newOtherDevice();
      Tensor foreign = closing(other.allocate(DataType.FLOAT, Shape.of(AddProgram.ELEMENTS)));
      Tensor mine = floats(AddProgram.ELEMENTS);
      String theirs = other.id().toString();
      String ours = device.id().toString();
      assertRefused(() -> arguments.input("a", foreign), "input=a", theirs, ours);
      assertRefused(() -> arguments.output("sum", foreign), "output=sum", theirs, ours);
      assertRefused(() -> s.copy(foreign, mine), theirs, ours);
      assertRefused(() -> s.copy(mine, foreign), theirs, ours);
    }

    @Test
    void aRunWithoutAnInput() {
      Arguments incomplete = closing(add.program().arguments());
      incomplete.input("a");
      assertRefused(() -> add.program().run(incomplete), "b");
      assertRefused(() -> add.program().runAsync(incomplete, s), "b");
      assertRefused(() -> add.program().submit(incomplete, s), "b");
    }

    @Test
    void aRunOfAnotherProgram() {
      AddProgram another = newAddProgram();
      assertRefused(() -> another.program().run(arguments), "arguments");
      assertRefused(() -> another.program().runAsync(arguments, s), "arguments");
      assertRefused(() -> another.program().submit(arguments, s), "arguments");
    }

    @Test
    void aSecondThreadAndNameBoth() throws Exception {
      driver.before(
          "takeFailures",
          () -> {
            try {
              SecondThread.call("second", () -> arguments.input("a"));
            } catch (IllegalStateException e) {
              throw e;
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          });
      assertThatThrownBy(() -> add.program().runAsync(arguments, s))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("thread=second")
          .hasMessageContaining("thread=" + Thread.currentThread().getName());
      add.assertRuns(s, 2);
    }

    @Test
    void nothing() {
      assertNull("stream", () -> add.program().runAsync(arguments, Null.<DeviceStream>value()));
      assertNull("stream", () -> add.program().submit(arguments, Null.value()));
      assertNull("arguments", () -> add.program().run(Null.value()));
      assertNull("tensor", () -> arguments.input("a", Null.value()));
      assertNull("name", () -> arguments.input(Null.<String>value()));
      assertNull("function", () -> s.call(Null.value()));
      assertNull("event", () -> s.record(Null.value()));
      assertNull("event", () -> s.waitFor(Null.value()));
      assertNull("model", () -> Program.load(Null.value(), device));
      assertNull("device", () -> Program.load(TinyModels.add(1), Null.value()));
      Tensor tensor = floats(1);
      assertNull("from", () -> s.copy(Null.value(), tensor));
      assertNull("to", () -> s.copy(tensor, Null.value()));
    }

    private static void assertNull(String name, ThrowingCallable use) {
      assertThatThrownBy(use).isInstanceOf(NullPointerException.class).hasMessageContaining(name);
    }
  }

  @Nested
  @DisplayName("A copy refuses")
  class WrongCopy {

    @Test
    void anotherTypeOrSize() {
      Tensor four = floats(4);
      Tensor five = floats(5);
      Tensor ints = closing(device.allocate(DataType.INT32, Shape.of(4)));
      assertRefused(() -> s.copy(four, five), "[4]", "[5]");
      assertRefused(() -> s.copy(four, ints), "FLOAT", "INT32");
    }

    @Test
    void readOnlyMemory() {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment readOnly = arena.allocate(16, 8).asReadOnly();
        Tensor to = closing(Tensor.wrap(readOnly, DataType.FLOAT, Shape.of(4)));
        Tensor from = floats(4);
        assertThatThrownBy(() -> s.copy(from, to))
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining("read-only");
        arguments.output("sum", to);
        assertRefused(() -> add.program().runAsync(arguments, s), "output=sum", "read-only");
        to.close();
      }
    }

    @Test
    void memoryWhoseArenaIsClosed() {
      Tensor wrapped;
      try (Arena arena = Arena.ofShared()) {
        wrapped = closing(Tensor.wrap(arena.allocate(16, 8), DataType.FLOAT, Shape.of(4)));
      }
      Tensor other = floats(4);
      for (ThrowingCallable use :
          new ThrowingCallable[] {
            () -> s.copy(wrapped, other), () -> s.copy(other, wrapped), wrapped::readFloats
          }) {
        assertThatThrownBy(use)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("arena");
      }
      assertThat(driver.log().of("copy")).isEmpty();
    }

    @Test
    void nothingOfAViewThatIsSmallerThanItsMemory() {
      Tensor small =
          closing(Tensor.of(driver.allocate(64, driver.tensorKind()), DataType.FLOAT, Shape.of(4)));
      Tensor exact = closing(device.upload(new float[] {1, 2, 3, 4}, Shape.of(4)));
      s.copy(exact, small);
      s.synchronize();
      assertThat(small.readFloats()).containsExactly(1, 2, 3, 4);
      small.write(new float[] {5, 6, 7, 8});
      s.copy(small, exact);
      s.synchronize();
      assertThat(exact.readFloats()).containsExactly(5, 6, 7, 8);
    }
  }

  @Nested
  @DisplayName("Memory that is not there")
  class OutOfMemory {

    @Test
    void isRefusedWithTheSizes() {
      long huge = 1L << 50;
      assertThatThrownBy(() -> device.allocate(DataType.FLOAT, Shape.of(huge)))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("bytes=" + 4 * huge)
          .hasMessageContaining("memory");
      assertThatThrownBy(() -> device.allocate(DataType.FLOAT, Shape.of(Long.MAX_VALUE, 2)))
          .isInstanceOfAny(IllegalArgumentException.class, ArithmeticException.class);
      assertThat(driver.liveBytes()).isEqualTo(programBytes + 2 * 4 * AddProgram.ELEMENTS);
    }

    @Test
    void isNotInTheWayOfWhatFits() throws Exception {
      SecondThread<String> greedy =
          SecondThread.start(
              "greedy",
              () -> {
                for (int i = 0; i < 500; i++) {
                  assertThatThrownBy(() -> device.allocate(DataType.FLOAT, Shape.of(1L << 50)))
                      .isInstanceOf(DeviceException.class);
                }
                return "refused each time";
              });
      while (!greedy.isDone()) {
        device.allocate(DataType.FLOAT, Shape.of(1)).close();
      }
      greedy.result();
    }
  }

  @Nested
  @DisplayName("What is unusual and right:")
  class Unusual {

    @Test
    void notANumber() {
      float[] odd = {Float.NaN, Float.POSITIVE_INFINITY, -0f, Float.MIN_VALUE};
      arguments.input("a").write(odd);
      arguments.input("b").write(new float[] {1, Float.NEGATIVE_INFINITY, -0f, 0});
      try (Run run = add.program().run(arguments)) {
        assertThat(run.output("sum").readFloats())
            .containsExactly(Float.NaN, Float.NaN, -0f, Float.MIN_VALUE);
      }
    }

    @Test
    void noElements() {
      Program empty = closing(kind().load(TinyModels.add(0), device, CompileOptions.defaults()));
      try (Arguments none = empty.arguments()) {
        none.input("a");
        none.input("b").write(new float[0]);
        try (Run run = empty.runAsync(none, s)) {
          s.copy(run.output("sum"), none.input("a"));
          s.synchronize();
          assertThat(run.output("sum").shape()).isEqualTo(Shape.of(0));
          assertThat(run.output("sum").readFloats()).isEmpty();
        }
      }
    }

    @Test
    void oneTensorForBothInputs() {
      Tensor both = closing(device.upload(AddProgram.a(1), Shape.of(AddProgram.ELEMENTS)));
      arguments.input("a", both).input("b", both);
      try (Run run = add.program().run(arguments)) {
        assertThat(run.output("sum").readFloats()).containsExactly(2, 4, 6, 8);
      }
    }

    @Test
    void memoryOfTheApplications() {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment memory = arena.allocate(4L * AddProgram.ELEMENTS, 64);
        Tensor wrapped =
            closing(Tensor.wrap(memory, DataType.FLOAT, Shape.of(AddProgram.ELEMENTS)));
        arguments.output("sum", wrapped);
        if (kind().reachesHostMemory()) {
          try (Run run = add.program().run(arguments)) {
            assertThat(run.output("sum")).isSameAs(wrapped);
          }
          AddProgram.assertSum(wrapped, 1);
        } else { // a kernel does not reach it: a copy on the stream does
          assertRefused(() -> add.program().run(arguments), "output=sum", "HOST");
        }
        wrapped.close();
      }
    }
  }
}
