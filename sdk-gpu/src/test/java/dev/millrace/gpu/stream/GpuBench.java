package dev.millrace.gpu.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.binding.StreamBound;
import dev.millrace.gpu.ffi.HipDevices;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.handle.StreamHandle;
import dev.millrace.model.CompileOptions;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.Run;
import dev.millrace.program.RunMode;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A GPU with one of everything, which is not the current device of the thread that uses it, where
 * there are two. After a native call failed it says whether all is as it was, works, and can be
 * given back.
 */
final class GpuBench implements AutoCloseable {
  /** The last device: not the current one, where there are two. */
  static final int ORDINAL = HipDevices.count() - 1;

  private static final int ELEMENTS = 4;

  final Device device;
  final Program add;
  final Arguments arguments;
  final DeviceStream s;
  final DeviceStream t;
  final StreamContext context;
  final Handle handle;
  private final CountDownLatch gate = new CountDownLatch(1);
  private final int currentDevice;

  /** A library's handle, as a participant. */
  static final class Handle implements StreamBound {
    private StreamHandle stream;

    Handle(StreamHandle stream) {
      this.stream = stream;
    }

    @Override
    public String name() {
      return "handle";
    }

    @Override
    public StreamHandle stream() {
      return stream;
    }

    @Override
    public void setStream(StreamHandle to) {
      stream = to;
    }
  }

  GpuBench() {
    HipOnCpu.reset();
    currentDevice = HipDevices.currentDevice();
    device = Device.of(new GpuProvider().open(ORDINAL));
    add = newProgram();
    arguments = newArguments(1);
    s = device.newStream();
    t = device.newStream();
    context = device.newContext();
    handle = new Handle(device.nullStream().handle());
    context.attach(handle);
    add.warmUp(arguments);
    device.driver().synchronize();
  }

  Program newProgram() {
    AddKernelProgram loaded = AddKernelProgram.load(ORDINAL, ELEMENTS);
    return Program.of(loaded, "add", device, CompileOptions.defaults());
  }

  Arguments newArguments(float number) {
    Arguments made = add.arguments();
    made.input("b").write(new float[] {1, 1, 1, 1});
    made.output("sum");
    fill(made, number);
    return made;
  }

  static void fill(Arguments arguments, float number) {
    arguments.input("a").write(new float[] {number, number, number, number});
  }

  /** Holds a stream until {@link #open}. */
  void hold(DeviceStream stream) {
    stream.call(
        () -> {
          try {
            gate.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  void open() {
    gate.countDown();
  }

  /** Does something while a stream is held, which is let go when that or its thread waits. */
  void whileHeld(Runnable work) {
    Thread opener = Thread.ofPlatform().daemon().start(this::openWhenSomebodyWaits);
    try {
      work.run();
    } finally {
      open();
      joinQuietly(opener);
    }
  }

  private static void joinQuietly(Thread opener) {
    try {
      opener.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the test was given up
    }
  }

  private void openWhenSomebodyWaits() {
    while (gate.getCount() > 0 && HipOnCpu.calls("hipStreamSynchronize") == 0) {
      Thread.onSpinWait();
    }
    open();
  }

  /** How the log calls the calling thread. */
  static String thisThread() {
    int before = HipOnCpu.log().size();
    HipDevices.currentDevice();
    List<HipOnCpu.Call> after = HipOnCpu.log();
    return after.subList(before, after.size()).stream()
        .filter(call -> call.function().equals("hipGetDevice"))
        .findFirst()
        .orElseThrow()
        .thread();
  }

  /** The calls of the calling thread since the last reset. */
  static List<HipOnCpu.Call> myCalls() {
    List<HipOnCpu.Call> calls = HipOnCpu.log();
    String me = thisThread();
    return calls.stream().filter(call -> call.thread().equals(me)).toList();
  }

  void assertAsBefore() {
    assertThat(context.isExternal()).isFalse();
    assertThat(handle.stream().isNull()).as("the handle is on the null stream").isTrue();
    assertThat(HipDevices.currentDevice()).as("current device").isEqualTo(currentDevice);
  }

  void assertWorks() {
    float number = 10;
    for (RunMode mode : RunMode.values()) {
      for (DeviceStream stream : List.of(s, t, device.nullStream())) {
        fill(arguments, ++number);
        try (Run _ = add.runAsync(arguments, stream, mode)) {
          stream.synchronize();
          assertSum(number);
          assertThat(stream.isIdle()).isTrue();
        }
      }
    }
  }

  void assertSum(float number) {
    assertThat(arguments.output("sum").readFloats())
        .containsExactly(number + 1, number + 1, number + 1, number + 1);
  }

  @Override
  public void close() {
    open();
    arguments.close();
    add.close();
    context.close();
    s.close();
    t.close();
    device.close();
  }
}
