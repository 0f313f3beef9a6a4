package dev.millrace.samples;

import dev.millrace.architecture.ArchitectureContract;
import dev.millrace.architecture.Arrows;
import java.util.List;

final class SamplesArchitectureTest extends ArchitectureContract {
  SamplesArchitectureTest() {
    super(new Arrows("dev.millrace", List.of(List.of("samples..")), List.of()));
  }

  @Override
  protected List<String> consolePackages() {
    return List.of("dev.millrace.samples..");
  }
}
