package dev.millrace.architecture;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CoreArchitectureTest extends ArchitectureContract {
  private static final Arrows ARROWS =
      new Arrows(
          "dev.millrace",
          List.of(
              List.of("handle"),
              List.of("error"),
              List.of("lifetime"),
              List.of("trace"),
              List.of("tensor"),
              List.of("model"),
              List.of("spi"),
              List.of("host", "binding"),
              List.of("stream"),
              List.of("program")),
          List.of());

  CoreArchitectureTest() {
    super(ARROWS);
  }

  @Test
  void callsNoNativeCode() {
    check(noNativeCalls());
  }

  @Test
  void onlyTheHostDeviceKnowsOnnxRuntime() {
    check(
        onlyPackage(
            "dev.millrace.host..",
            "ai.onnxruntime..",
            "it is an optional dependency: a class outside the engine that names it cannot be"
                + " loaded without it"));
  }
}
