package dev.millrace.program;

import static dev.millrace.trace.TraceEvent.HostWait.BLOCKED;
import static dev.millrace.trace.TraceEvent.HostWait.INLINE;

import dev.millrace.error.LibraryMissingException;
import dev.millrace.lifetime.LeakWatch;
import dev.millrace.model.CompileOptions;
import dev.millrace.model.Model;
import dev.millrace.spi.Engine;
import dev.millrace.spi.LoadedProgram;
import dev.millrace.stream.Device;
import dev.millrace.stream.DeviceStream;
import dev.millrace.stream.StreamContext;
import dev.millrace.tensor.TensorSpec;
import dev.millrace.trace.TraceEvent.HostWait;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/**
 * A model that a device can run. Runs go to a stream of the caller's and return at once; several
 * threads may run one program on several streams.
 *
 * <p>Each run takes a lane. When all lanes are taken the run is ordered behind another one on the
 * device, and the host still waits for nothing. Any thread.
 */
public final class Program implements AutoCloseable {
  private final ProgramCore core;
  private final LeakWatch watch;

  Program(ProgramCore core) {
    this.core = core;
    long ticket = core.device().opened(this, core::describe);
    this.watch =
        LeakWatch.on(
            this,
            "Program",
            () -> {
              core.device().closed(ticket);
              core.close();
            });
  }

  /**
   * Loads a model with the default options.
   *
   * @param model what to load
   * @param device where it will run
   * @return the program, the caller's to close
   * @see #load(Model, Device, CompileOptions)
   */
  public static Program load(Model model, Device device) {
    return load(model, device, CompileOptions.defaults());
  }

  /**
   * Loads a model.
   *
   * @param model what to load
   * @param device where it will run
   * @param options how: lanes, threads, fixed input shapes, the engine
   * @return the program, the caller's to close
   * @throws dev.millrace.error.ModelException if the model is unreadable or of an unsupported kind
   * @throws LibraryMissingException if no engine serves the device, with what each one lacks
   * @throws IllegalArgumentException if an option does not fit the model
   */
  public static Program load(Model model, Device device, CompileOptions options) {
    Objects.requireNonNull(model, "model");
    device.checkOpen("load a program on");
    Engine engine = engineFor(device, options);
    return of(engine.load(model, options, device.driver()), model.name(), device, options);
  }

  /**
   * Makes a program of what was loaded already, by other means than a model.
   *
   * @param loaded closes with the program, or here if this throws
   * @param name what messages and the trace call it
   * @param device where it was loaded
   * @param options lanes, fixed input shapes
   * @return the program, the caller's to close
   * @throws IllegalArgumentException if an option does not fit what was loaded
   */
  public static Program of(
      LoadedProgram loaded, String name, Device device, CompileOptions options) {
    device.checkOpen("load a program on");
    try {
      List<TensorSpec> inputs = Specs.withShapes(loaded.inputs(), options.inputShapes(), name);
      return new Program(new ProgramCore(device, name, loaded, inputs, options));
    } catch (IllegalArgumentException e) {
      loaded.close();
      throw e;
    }
  }

  private static Engine engineFor(Device device, CompileOptions options) {
    List<String> refusals = new ArrayList<>();
    for (Engine engine : ServiceLoader.load(Engine.class)) {
      if (options.engine().filter(name -> !name.equals(engine.name())).isPresent()) {
        continue;
      }
      Optional<String> refusal = engine.refusal(device.driver());
      if (refusal.isEmpty()) {
        return engine;
      }
      refusals.add(engine.name() + ": " + refusal.get());
    }
    throw new LibraryMissingException(
        options.engine().map(name -> "engine=" + name).orElse("an engine")
            + " for device="
            + device,
        refusals,
        "add the artifact of an engine that serves this kind of device");
  }

  /**
   * What the program takes.
   *
   * @return the inputs, in the model's order, with the shapes that the options fixed
   */
  public List<TensorSpec> inputs() {
    return core.inputs();
  }

  /**
   * What the program gives.
   *
   * @return the outputs, in the model's order
   */
  public List<TensorSpec> outputs() {
    return core.loaded().outputs();
  }

  /**
   * Makes an empty set of arguments.
   *
   * @return the arguments, the caller's to close
   */
  public Arguments arguments() {
    core.checkOpen("make arguments of");
    return new Arguments(core);
  }

  /**
   * Runs on a stream of the program's own and waits. An interrupt does not end the wait; the
   * thread's flag is kept.
   *
   * @param arguments made by this program
   * @return the finished run; close it if it allocated outputs
   * @throws dev.millrace.error.DeviceException if the run failed
   */
  public Run run(Arguments arguments) {
    Objects.requireNonNull(arguments, "arguments").enter();
    try {
      arguments.checkFor(core);
      ProgramLane any = core.anyLane();
      Run run = newRun(arguments, any.own(), RunMode.EXTERNAL);
      return finished(run, () -> core.runNow(run) ? INLINE : BLOCKED);
    } finally {
      arguments.leave();
    }
  }

  /**
   * Runs on the stream at which a context looks, and waits for it.
   *
   * @param arguments made by this program
   * @param context bound to a caller's stream, or on its own
   * @return the finished run; close it if it allocated outputs
   * @throws dev.millrace.error.DeviceException if the run failed
   */
  public Run run(Arguments arguments, StreamContext context) {
    Run run = runAsync(arguments, context);
    return finished(run, () -> BLOCKED);
  }

  private static Run finished(Run run, Supplier<HostWait> submission) {
    try {
      run.finish(submission.get());
      return run;
    } catch (RuntimeException | Error e) {
      run.close();
      throw e;
    }
  }

  /**
   * Enqueues a run on the caller's stream and returns.
   *
   * @param arguments made by this program; its tensors may be used again once the run is done
   * @param stream of the program's device; its null stream is one too
   * @return the run, the caller's to close
   * @see #runAsync(Arguments, DeviceStream, RunMode)
   */
  public Run runAsync(Arguments arguments, DeviceStream stream) {
    return runAsync(arguments, stream, RunMode.EXTERNAL);
  }

  /**
   * Enqueues a run and returns.
   *
   * @param arguments made by this program; its tensors may be used again once the run is done
   * @param stream of the program's device; its null stream is one too
   * @param mode on that stream, or on the program's own and joined to it
   * @return the run, the caller's to close
   * @throws IllegalArgumentException for a stream of another device, arguments of another program,
   *     or a missing argument
   * @throws IllegalStateException for a closed program, stream or tensor
   * @throws dev.millrace.error.DeviceException if a call of the device's runtime fails, or
   *     something submitted to the stream earlier went wrong and nobody was told yet
   */
  public Run runAsync(Arguments arguments, DeviceStream stream, RunMode mode) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(arguments, "arguments").enter();
    try {
      arguments.checkFor(core);
      Run run = newRun(arguments, stream, mode);
      return submitted(run, stream, mode);
    } finally {
      arguments.leave();
    }
  }

  private Run submitted(Run run, DeviceStream stream, RunMode mode) {
    try {
      core.submit(run.arguments(), stream, mode, run);
      return run;
    } catch (RuntimeException | Error e) {
      run.close();
      throw e;
    }
  }

  /**
   * Enqueues a run on the stream at which a context looks, and returns.
   *
   * @param arguments made by this program
   * @param context bound to a caller's stream, or on its own
   * @return the run, the caller's to close
   */
  public Run runAsync(Arguments arguments, StreamContext context) {
    return context.onStream(stream -> runAsync(arguments, stream, RunMode.EXTERNAL));
  }

  /**
   * Enqueues a run on the caller's stream and returns, with nothing to close: the outputs are the
   * arguments' own. What goes wrong later is reported by the stream.
   *
   * @param arguments made by this program; outputs that it lacks and whose shape is known are made
   *     at the first call
   * @param stream of the program's device; its null stream is one too
   * @return the id under which the trace knows the run
   * @throws IllegalStateException as for a run, or if an output's shape is not known
   */
  public long submit(Arguments arguments, DeviceStream stream) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(arguments, "arguments").enter();
    try {
      arguments.checkFor(core);
      core.checkOpen("run");
      return core.submit(arguments.reusableSet(), stream, RunMode.EXTERNAL, null);
    } finally {
      arguments.leave();
    }
  }

  /**
   * Puts a run into the capture of a stream: nothing is done now, and the run is part of what the
   * application replays later. No event of ours gets into the capture.
   *
   * @param arguments made by this program; their tensors stay where they are until the captured run
   *     is closed
   * @param stream of the program's device, being captured
   * @return the captured run, the caller's to close after the last replay is done
   * @throws UnsupportedOperationException if the device captures nothing, as {@code host}
   * @throws IllegalStateException if the stream is not being captured, the program cannot be
   *     captured, with the reasons, or no lane is idle and has run before; nothing was enqueued
   */
  public CapturedRun capture(Arguments arguments, DeviceStream stream) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(arguments, "arguments").enter();
    try {
      arguments.checkFor(core);
      core.checkOpen("capture a run of");
      if (arguments.hasAllOutputs()) {
        return core.capture(arguments.reusableSet(), false, stream);
      }
      return captureOwning(arguments.setForOneRun(), stream);
    } finally {
      arguments.leave();
    }
  }

  private CapturedRun captureOwning(ArgumentSet set, DeviceStream stream) {
    try {
      return core.capture(set, true, stream);
    } catch (RuntimeException | Error e) {
      set.closeOwned();
      throw e;
    }
  }

  private Run newRun(Arguments arguments, DeviceStream home, RunMode mode) {
    core.checkOpen("run");
    if (arguments.hasAllOutputs()) {
      return new Run(core, home, mode, arguments.reusableSet(), false);
    }
    return new Run(core, home, mode, arguments.setForOneRun(), true);
  }

  /**
   * Runs each lane once and waits, so that what libraries and engines do at their first run is
   * done.
   *
   * @param arguments made by this program
   */
  public void warmUp(Arguments arguments) {
    Objects.requireNonNull(arguments, "arguments").enter();
    try {
      arguments.checkFor(core);
      core.warmUp(() -> newRun(arguments, core.anyLane().own(), RunMode.EXTERNAL));
    } finally {
      arguments.leave();
    }
  }

  /**
   * Whether runs can be enqueued without waiting, and captured.
   *
   * @return the capability, with reasons
   */
  public AsyncCapability asyncCapability() {
    LoadedProgram loaded = core.loaded();
    return new AsyncCapability(loaded.synchronousBecause(), loaded.notCapturableBecause());
  }

  /**
   * How many runs can be in flight without waiting for one another.
   *
   * @return the number of lanes
   */
  public int lanes() {
    return core.lanes();
  }

  /**
   * What one lane costs.
   *
   * @return bytes of device memory
   */
  public long laneBytes() {
    return core.loaded().laneBytes();
  }

  /** Refuses new runs at once; gives everything back when the last run in flight is done. */
  @Override
  public void close() {
    try {
      watch.close();
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public String toString() {
    return "program=" + core;
  }
}
