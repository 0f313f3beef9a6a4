package dev.millrace.profiler.analysis;

import dev.millrace.profiler.model.TraceModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Clients that each loop over one operation before a program, the program of N operations, and one
 * after it, on a simulated device.
 */
final class SimulatedClients {
  static final long KERNEL_NS = 5_000;

  /** What a client's thread does between the end of one turn and its next launch. */
  static final long THINK_NS = 20_000;

  enum Mode {
    EXTERNAL,
    EXTERNAL_ONE_LANE,
    FORK_JOIN,
    /** External, and the host waits before and after the program. */
    HOST_SYNC
  }

  private static final long OWN_STREAM = 1000;
  private static final long LANE_EVENT = 2000;

  private final SimulatedDevice device = new SimulatedDevice();
  private final Mode mode;
  private final int kernels;
  private final boolean deep;
  private long runs;
  private long laneFreeNs;

  private SimulatedClients(Mode mode, int kernels, boolean deep) {
    this.mode = mode;
    this.kernels = kernels;
    this.deep = deep;
  }

  /** One step of a host thread: what it does at a time, and when it has done it. */
  private interface Step {
    long at(long nowNs);
  }

  private static final class Client {
    final List<Step> steps = new ArrayList<>();
    int next;
    long nowNs;
    long turnBeganNs;

    Client(long startNs) {
      nowNs = startNs;
    }

    boolean isDone() {
      return next == steps.size();
    }

    void step() {
      nowNs = steps.get(next++).at(nowNs);
    }
  }

  static TraceModel run(Mode mode, int clients, int kernels, int turns) {
    return new SimulatedClients(mode, kernels, false).run(clients, turns);
  }

  /** A client that never waits for the device. */
  static TraceModel runDeep(Mode mode, int kernels, int turns) {
    return new SimulatedClients(mode, kernels, true).run(1, turns);
  }

  private TraceModel run(int count, int turns) {
    List<Client> clients = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      Client client = new Client(i * 60_000L);
      for (int turn = 0; turn < turns; turn++) {
        addTurn(client, i, turn);
      }
      clients.add(client);
    }
    while (clients.stream().anyMatch(it -> !it.isDone())) {
      clients.stream()
          .filter(it -> !it.isDone())
          .min(Comparator.comparingLong(it -> it.nowNs))
          .orElseThrow()
          .step();
    }
    return device.trace();
  }

  private void addTurn(Client client, long home, long turn) {
    client.steps.add(
        now -> {
          client.turnBeganNs = now;
          return now;
        });
    client.steps.add(now -> launch(now, home, home, "before", 0));
    addProgram(client, home, turn);
    client.steps.add(now -> launch(now, home, home, "after", 0));
    if (!deep) {
      client.steps.add(now -> device.synchronize(home, home, now));
      client.steps.add(now -> now + THINK_NS);
    }
    client.steps.add(
        now -> {
          device.iteration("client-" + home, turn, home, client.turnBeganNs, now);
          return now;
        });
  }

  private void addProgram(Client client, long home, long turn) {
    long run = ++runs;
    long own = mode == Mode.FORK_JOIN ? OWN_STREAM : 0;
    client.steps.add(
        now -> {
          device.run(run, "client-" + home, turn, home, own, now);
          return now;
        });
    switch (mode) {
      case EXTERNAL -> addKernels(client, home, run);
      case EXTERNAL_ONE_LANE -> client.steps.add(now -> locked(now, it -> onLane(it, home, run)));
      case FORK_JOIN -> client.steps.add(now -> locked(now, it -> forkJoin(it, home, run)));
      case HOST_SYNC -> {
        client.steps.add(now -> device.synchronize(home, home, now));
        addKernels(client, home, run);
        client.steps.add(now -> device.synchronize(home, home, now));
      }
    }
  }

  /** A lane is one client's from its first call to its last, as the lane's lock sees to. */
  private long locked(long nowNs, Step step) {
    laneFreeNs = step.at(Math.max(nowNs, laneFreeNs));
    return laneFreeNs;
  }

  private long onLane(long nowNs, long home, long run) {
    long now = device.await(home, home, LANE_EVENT, nowNs, run);
    now = kernels(now, home, home, run);
    return device.record(home, LANE_EVENT, home, now, run);
  }

  private long forkJoin(long nowNs, long home, long run) {
    long begin = 3000 + home;
    long finish = 4000 + home;
    long now = device.record(home, begin, home, nowNs, run);
    now = device.await(home, OWN_STREAM, begin, now, run);
    now = kernels(now, home, OWN_STREAM, run);
    now = device.record(home, finish, OWN_STREAM, now, run);
    return device.await(home, home, finish, now, run);
  }

  private long kernels(long nowNs, long thread, long stream, long run) {
    long now = nowNs;
    for (int i = 0; i < kernels; i++) {
      now = launch(now, thread, stream, "kernel " + i, run);
    }
    return now;
  }

  private void addKernels(Client client, long home, long run) {
    for (int i = 0; i < kernels; i++) {
      String name = "kernel " + i;
      client.steps.add(now -> launch(now, home, home, name, run));
    }
  }

  private long launch(long nowNs, long thread, long stream, String name, long run) {
    return device.launch(new SimulatedDevice.Launch(thread, stream, name, KERNEL_NS, run), nowNs);
  }
}
