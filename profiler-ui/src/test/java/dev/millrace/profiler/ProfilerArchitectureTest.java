package dev.millrace.profiler;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import dev.millrace.architecture.ArchitectureContract;
import dev.millrace.architecture.Arrows;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProfilerArchitectureTest extends ArchitectureContract {
  private static final Arrows ARROWS =
      new Arrows(
          "dev.millrace.profiler",
          List.of(
              List.of("time"),
              List.of("model"),
              List.of("importer"),
              List.of("query"),
              List.of("analysis"),
              List.of("compare"),
              List.of("cli"),
              List.of("ui.."),
              List.of("launch")),
          List.of());

  ProfilerArchitectureTest() {
    super(ARROWS);
  }

  @Override
  protected List<String> consolePackages() {
    return List.of("dev.millrace.profiler.cli", "dev.millrace.profiler.launch");
  }

  @Test
  void callsNoNativeCode() {
    check(noNativeCalls());
  }

  @Test
  void onlyLaunchKnowsTheSdk() {
    check(
        noClasses()
            .that(resideOutsideOfPackages("dev.millrace.profiler.launch"))
            .should()
            .dependOnClassesThat(
                resideInAPackage("dev.millrace..")
                    .and(
                        resideOutsideOfPackages("dev.millrace.profiler..", "dev.millrace.trace..")))
            .because(
                "the two halves meet in the trace: what the profiler needs to know of a run is read"
                    + " from the file, so that it opens on a machine without a GPU"));
  }

  @Test
  void analysisDoesNotSeeHowATraceWasRead() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage("dev.millrace.profiler.analysis", "dev.millrace.profiler.compare")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.millrace.profiler.importer")
            .because("formats come and go, questions stay: both see the model, never each other"));
  }

  @Test
  void onlyTheUiKnowsJavaFx() {
    check(
        onlyPackage(
            "dev.millrace.profiler.ui..",
            "javafx..",
            "the headless commands run where there is no JavaFX"));
  }
}
