package dev.millrace.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.conformance.TinyModels;
import dev.millrace.gpu.ffi.HipDevices;
import dev.millrace.gpu.stream.GpuProvider;
import dev.millrace.gpu.stream.GpuUnderTest;
import dev.millrace.gpu.testing.HipOnCpu;
import dev.millrace.model.CompileOptions;
import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.Run;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import java.util.List;

/**
 * A GPU that is not the thread's current one, a warm program, and a context with handles of AMD's
 * libraries whose home is a stream of the application.
 */
final class RealBench implements AutoCloseable {
  private static final int ORDINAL = 1;

  final Device device = Device.of(new GpuProvider().open(ORDINAL));
  final DeviceStream home = device.newStream();
  final DeviceStream s = device.newStream();
  final DeviceStream t = device.newStream();
  final StreamContext context = device.newContext();
  final RealHandles handles;
  final Program add = new GpuUnderTest().load(TinyModels.add(4), device, CompileOptions.defaults());
  final Arguments arguments = add.arguments();

  /** Takes handles that look at the null stream, and gives them back so. */
  RealBench(RealHandles handles) {
    this.handles = handles;
    handles.moveTo(home.handle());
    handles.participants().forEach(context::attach);
    arguments.input("a").write(new float[] {1, 2, 3, 4});
    arguments.input("b").write(new float[] {1, 1, 1, 1});
    arguments.output("sum");
    add.warmUp(arguments);
    for (DeviceStream stream : List.of(s, t, home)) {
      add.submit(arguments, stream);
      stream.synchronize();
    }
    device.driver().synchronize();
  }

  /** The calls that the calling thread makes meanwhile, the libraries' among them. */
  static List<HipOnCpu.Call> callsOf(Runnable work) {
    HipOnCpu.reset();
    work.run();
    List<HipOnCpu.Call> calls = HipOnCpu.log();
    HipDevices.currentDevice(); // its line says how this thread is called
    List<HipOnCpu.Call> after = HipOnCpu.log();
    String me =
        after.subList(calls.size(), after.size()).stream()
            .filter(call -> call.function().equals("hipGetDevice"))
            .findFirst()
            .orElseThrow()
            .thread();
    return calls.stream().filter(call -> call.thread().equals(me)).toList();
  }

  void assertHandlesAreOn(DeviceStream stream) {
    assertThat(handles.streams()).containsOnly(stream.handle());
  }

  void run() {
    add.runAsync(arguments, context).close();
  }

  void assertWorks() {
    for (DeviceStream stream : List.of(s, t)) {
      arguments.output("sum").write(new float[4]);
      try (Run _ = add.runAsync(arguments, stream)) {
        stream.synchronize();
        assertThat(arguments.output("sum").readFloats()).containsExactly(2, 3, 4, 5);
      }
    }
  }

  @Override
  public void close() {
    arguments.close();
    add.close();
    context.close();
    handles.moveTo(device.nullStream().handle());
    home.close();
    s.close();
    t.close();
    device.close();
  }
}
