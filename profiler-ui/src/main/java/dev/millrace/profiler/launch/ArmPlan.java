package dev.millrace.profiler.launch;

import dev.millrace.program.RunMode;
import java.util.ArrayList;
import java.util.List;

/**
 * One way to run the model.
 *
 * @param name what people call it
 * @param folder what its folder of traces is called
 */
record ArmPlan(String name, String folder, RunMode mode, int lanes) {

  /**
   * Fork/join with one own stream, external with one lane, external with a lane per client. With
   * one client the last two are the same, and there are only two.
   */
  static List<ArmPlan> forClients(int clients) {
    List<ArmPlan> arms = new ArrayList<>();
    arms.add(new ArmPlan("fork/join", "fork-join", RunMode.FORK_JOIN, 1));
    arms.add(new ArmPlan("external, 1 lane", "external-1-lane", RunMode.EXTERNAL, 1));
    if (clients > 1) {
      arms.add(
          new ArmPlan(
              "external, " + clients + " lanes",
              "external-" + clients + "-lanes",
              RunMode.EXTERNAL,
              clients));
    }
    return arms;
  }
}
