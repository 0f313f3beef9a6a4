package dev.millrace.samples.leaks;

import static dev.millrace.samples.models.MeasuredModel.ONE_NODE;
import static dev.millrace.samples.models.MeasuredModel.RECOGNISER;

import dev.millrace.stream.Device;

/** What is done how often. */
enum Endurance {
  ONE_NODE_RUNS(100_000),
  RECOGNISER_RUNS(1_000),
  STREAMS(100_000),
  TENSORS(100_000),
  EVENTS(100_000),
  /** Resident memory settles only after some 12,000 of these, with ONNX Runtime alone too. */
  PROGRAMS(40_000);

  private final int times;

  Endurance(int times) {
    this.times = times;
  }

  int times() {
    return times;
  }

  Use on(Device device) {
    return switch (this) {
      case ONE_NODE_RUNS -> new Use.Runs(device, ONE_NODE);
      case RECOGNISER_RUNS -> new Use.Runs(device, RECOGNISER);
      case STREAMS -> new Use.Streams(device);
      case TENSORS -> new Use.Tensors(device, device.newStream());
      case EVENTS -> new Use.Events(device, device.newStream(), device.newStream());
      case PROGRAMS -> new Use.Programs(device, device.newStream());
    };
  }
}
