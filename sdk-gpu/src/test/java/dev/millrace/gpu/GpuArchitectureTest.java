package dev.millrace.gpu;

import dev.millrace.architecture.ArchitectureContract;
import dev.millrace.architecture.Arrows;
import java.util.List;

final class GpuArchitectureTest extends ArchitectureContract {
  private static final Arrows ARROWS =
      new Arrows(
          "dev.millrace",
          List.of(
              List.of("gpu.ffi"),
              List.of("gpu.trace"),
              List.of("gpu.stream"),
              List.of("gpu.binding"),
              List.of("gpu.kernel"),
              List.of("gpu.captured"),
              List.of("gpu.migraphx"),
              List.of("gpu")),
          List.of());

  GpuArchitectureTest() {
    super(ARROWS);
  }
}
