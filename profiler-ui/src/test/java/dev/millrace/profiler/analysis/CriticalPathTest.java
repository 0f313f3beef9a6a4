package dev.millrace.profiler.analysis;

import static dev.millrace.profiler.analysis.Label.HOP;
import static dev.millrace.profiler.analysis.Label.HOST_LATE;
import static dev.millrace.profiler.analysis.Label.HOST_SYNC;
import static dev.millrace.profiler.analysis.Label.LAUNCH;
import static dev.millrace.profiler.analysis.Label.OTHERS;
import static dev.millrace.profiler.analysis.Label.OWN_EARLIER;
import static dev.millrace.profiler.analysis.Label.WORK_ELSEWHERE;
import static dev.millrace.profiler.analysis.Label.WORK_HERE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.profiler.analysis.SimulatedClients.Mode;
import dev.millrace.profiler.model.TraceModel;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a device with known latencies does, told back in nanoseconds. */
final class CriticalPathTest {
  private static final int TURNS = 40;

  /** By then every client's turns are alike. */
  private static final int SETTLED = 5;

  @Test
  void externalRunIsWorkAndLaunches() {
    assertSettled(
        SimulatedClients.run(Mode.EXTERNAL, 1, 10, TURNS),
        73_400,
        Map.of(WORK_HERE, 60_000L, LAUNCH, 13_400L));
  }

  @Test
  void forkJoinRunCostsTwoHopsInsteadOfTwoLaunches() {
    assertSettled(
        SimulatedClients.run(Mode.FORK_JOIN, 1, 10, TURNS),
        76_600,
        Map.of(WORK_HERE, 10_000L, WORK_ELSEWHERE, 50_000L, HOP, 5_000L, LAUNCH, 11_600L));
  }

  @Test
  void hostSynchronisationCostsItsReturnTheNextCallAndALaunch() {
    assertSettled(
        SimulatedClients.run(Mode.HOST_SYNC, 1, 10, TURNS),
        98_600,
        Map.of(WORK_HERE, 60_000L, LAUNCH, 18_600L, HOST_SYNC, 12_000L, HOST_LATE, 8_000L));
  }

  @Test
  void twoCallersWithALaneEachDoNotMeet() {
    assertSettled(
        SimulatedClients.run(Mode.EXTERNAL, 2, 20, TURNS),
        132_400,
        Map.of(WORK_HERE, 110_000L, LAUNCH, 22_400L));
  }

  @Test
  void twoCallersOfOneLaneAreInEachOthersWay() {
    assertSettled(
        SimulatedClients.run(Mode.EXTERNAL_ONE_LANE, 2, 20, TURNS),
        209_200,
        Map.of(WORK_HERE, 105_000L, OTHERS, 83_700L, HOP, 2_500L, LAUNCH, 18_000L));
  }

  @Test
  void twoCallersOfOneOwnStreamAreInEachOthersWay() {
    assertSettled(
        SimulatedClients.run(Mode.FORK_JOIN, 2, 20, TURNS),
        206_000,
        Map.of(
            WORK_HERE,
            5_000L,
            WORK_ELSEWHERE,
            100_000L,
            OTHERS,
            80_500L,
            HOP,
            2_500L,
            LAUNCH,
            18_000L));
  }

  @Test
  void submittingAheadIsThePipelinesDepthAndNoStall() {
    List<IterationReport> turns = analyse(SimulatedClients.runDeep(Mode.FORK_JOIN, 10, TURNS));
    for (IterationReport turn : turns.subList(1, TURNS)) {
      long number = turn.iteration().number();
      assertThat(turn.responseNs()).isEqualTo(76_600 + 24_000 * number);
      assertThat(nonZero(turn.parts()))
          .isEqualTo(
              Map.of(
                  WORK_HERE,
                  10_000L,
                  WORK_ELSEWHERE,
                  50_000L,
                  HOP,
                  5_000L,
                  LAUNCH,
                  9_000L,
                  OWN_EARLIER,
                  2_600 + 24_000 * number));
      assertThat(turn.parts().stallNs()).isEqualTo(14_000);
    }
    assertThat(turns.get(1).periodNs()).hasValue(74_000);
  }

  @Test
  void workOnTheProgramsOwnStreamIsNoStall() {
    Parts parts = analyse(SimulatedClients.run(Mode.FORK_JOIN, 1, 10, 1)).getFirst().parts();
    assertThat(parts.stallNs()).isEqualTo(parts.ns(HOP) + parts.ns(LAUNCH));
  }

  @Test
  void busyTimeCountsEveryStreamAndEachNanosecondOnce() {
    IterationReport turn = analyse(SimulatedClients.run(Mode.FORK_JOIN, 1, 10, 1)).getFirst();
    assertThat(turn.busyNs()).isEqualTo(60_000);
    assertThat(turn.spanNs()).isEqualTo(73_100);
    assertThat(turn.exposedNs()).isEqualTo(13_100);
  }

  @Test
  void submissionCostIsCountedByFunction() {
    IterationReport turn = analyse(SimulatedClients.run(Mode.FORK_JOIN, 1, 10, 1)).getFirst();
    assertThat(turn.submit())
        .isEqualTo(
            Map.of(
                "launch", new CallCost(12, 48_000),
                "record", new CallCost(2, 1_000),
                "wait", new CallCost(2, 1_000)));
  }

  @Test
  void hostSynchronisationIsWallTimeOfTheThread() {
    IterationReport turn = analyse(SimulatedClients.run(Mode.HOST_SYNC, 1, 10, 1)).getFirst();
    assertThat(turn.hostSyncNs()).isEqualTo(60_600);
  }

  private static void assertSettled(TraceModel trace, long responseNs, Map<Label, Long> parts) {
    List<IterationReport> turns =
        analyse(trace).stream().filter(it -> it.iteration().number() >= SETTLED).toList();
    assertThat(turns).isNotEmpty();
    for (IterationReport turn : turns) {
      assertThat(turn.responseNs()).isEqualTo(responseNs);
      assertThat(nonZero(turn.parts())).isEqualTo(parts);
    }
  }

  private static List<IterationReport> analyse(TraceModel trace) {
    return TraceAnalysis.of(trace).iterations();
  }

  private static Map<Label, Long> nonZero(Parts parts) {
    Map<Label, Long> found = new EnumMap<>(Label.class);
    for (Label label : Label.values()) {
      if (parts.ns(label) != 0) {
        found.put(label, parts.ns(label));
      }
    }
    return found;
  }
}
