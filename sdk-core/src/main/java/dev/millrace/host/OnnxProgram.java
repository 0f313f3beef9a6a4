package dev.millrace.host;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.millrace.error.DeviceException;
import dev.millrace.lifetime.HoldCount;
import dev.millrace.spi.DeviceDriver;
import dev.millrace.spi.EngineLane;
import dev.millrace.spi.LaneHandles;
import dev.millrace.spi.LoadedProgram;
import dev.millrace.spi.PreparedArguments;
import dev.millrace.tensor.Tensor;
import dev.millrace.tensor.TensorSpec;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A session of ONNX Runtime. A session may run on many threads at once, so lanes share it and cost
 * nothing. Closing it under a run would end the JVM: each run holds it.
 */
final class OnnxProgram implements LoadedProgram {
  private final String name;
  private final DeviceDriver driver;
  private final OrtSession session;
  private final List<TensorSpec> inputs;
  private final List<TensorSpec> outputs;
  private final @Nullable OnnxProfile profile;

  private final HoldCount holds = new HoldCount();
  private final AtomicBoolean closed = new AtomicBoolean();

  OnnxProgram(
      String name,
      DeviceDriver driver,
      OrtSession session,
      List<TensorSpec> inputs,
      List<TensorSpec> outputs,
      @Nullable OnnxProfile profile) {
    this.name = name;
    this.driver = driver;
    this.session = session;
    this.inputs = inputs;
    this.outputs = outputs;
    this.profile = profile;
  }

  String name() {
    return name;
  }

  DeviceDriver driver() {
    return driver;
  }

  @Nullable OnnxProfile profile() {
    return profile;
  }

  @Override
  public List<TensorSpec> inputs() {
    return inputs;
  }

  @Override
  public List<TensorSpec> outputs() {
    return outputs;
  }

  @Override
  public EngineLane newLane(LaneHandles handles) {
    return new OnnxLane(this);
  }

  @Override
  public PreparedArguments prepare(List<Tensor> givenInputs, List<Tensor> givenOutputs) {
    return OnnxArguments.of(this, givenInputs, givenOutputs);
  }

  @Override
  public long laneBytes() {
    return 0;
  }

  @Override
  public List<String> synchronousBecause() {
    return List.of();
  }

  @Override
  public List<String> notCapturableBecause() {
    return List.of("device=" + driver.id() + " runs host functions, and those cannot be captured");
  }

  /** Runs the model on the calling thread. */
  void run(OnnxArguments arguments, long run) {
    if (!holds.retain()) {
      throw new IllegalStateException(act(run) + ": the program is closed");
    }
    try {
      arguments.runOn(session);
    } catch (DeviceException e) {
      throw e;
    } catch (OrtException | RuntimeException | OutOfMemoryError e) {
      throw DeviceException.of(act(run), driver.id(), "OrtSession.run", e);
    } finally {
      letGo();
    }
  }

  private String act(long run) {
    return "run program=" + name + " run=" + run;
  }

  private void letGo() {
    if (holds.release()) {
      closeSession();
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (!holds.release()) {
      throw new IllegalStateException(
          "close program=" + name + ": a run is in flight; the last one will close its session");
    }
    closeSession();
  }

  private void closeSession() {
    try (session) {
      if (profile != null) {
        profile.finish(session);
      }
    } catch (OrtException e) {
      throw DeviceException.of("close program=" + name, driver.id(), "OrtSession.close", e);
    }
  }
}
