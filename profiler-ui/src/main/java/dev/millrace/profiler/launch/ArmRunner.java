package dev.millrace.profiler.launch;

import dev.millrace.model.CompileOptions;
import dev.millrace.program.Program;
import dev.millrace.stream.Device;
import dev.millrace.trace.TraceSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** An arm's program, its clients and their threads. */
final class ArmRunner implements AutoCloseable {
  /** More than one, and the runs of several clients would compete for the same cores. */
  static final int THREADS_PER_RUN = 1;

  private final ArmPlan plan;
  private final CompareSettings settings;
  private final Program program;
  private final List<Client> clients = new ArrayList<>();
  private final ExecutorService threads;

  private ArmRunner(ArmPlan plan, CompareSettings settings, Program program) {
    this.plan = plan;
    this.settings = settings;
    this.program = program;
    threads = Executors.newFixedThreadPool(settings.clients(), ArmRunner::thread);
  }

  private static Thread thread(Runnable work) {
    return Thread.ofPlatform().name("client-", 0).daemon().unstarted(work);
  }

  static ArmRunner open(ArmPlan plan, ModelFile file, CompareSettings settings, Device device) {
    CompileOptions options =
        CompileOptions.defaults().withLanes(plan.lanes()).withThreadsPerRun(THREADS_PER_RUN);
    ArmRunner runner = new ArmRunner(plan, settings, Program.load(file.model(), device, options));
    try {
      runner.addClients(file, device);
      return runner;
    } catch (RuntimeException e) {
      runner.close();
      throw e;
    }
  }

  private void addClients(ModelFile file, Device device) {
    SplittableRandom random = new SplittableRandom(settings.seed());
    for (int i = 0; i < settings.clients(); i++) {
      Client client = new Client(i, program, plan.mode(), device);
      clients.add(client);
      client.makeInputs(
          InputShapes.of(program.inputs(), file.shapesWith(settings.shapes())), random.split());
      client.warmUp();
    }
  }

  ArmPlan plan() {
    return plan;
  }

  Program program() {
    return program;
  }

  /** The clients' last answers, by which arms can be told to agree. */
  List<Long> answers() {
    return clients.stream().map(Client::answer).toList();
  }

  /** All clients loop at once, and what they do is recorded. */
  void round(Path trace) throws IOException, InterruptedException {
    try (TraceSession _ = TraceSession.start(trace)) {
      loopAll();
    }
  }

  /** All clients loop at once, each for the number of turns of a round. */
  void loopAll() throws InterruptedException {
    CyclicBarrier start = new CyclicBarrier(clients.size());
    List<Callable<Void>> loops = new ArrayList<>();
    for (Client client : clients) {
      loops.add(
          () -> {
            start.await();
            client.loop(settings.iterations());
            return null;
          });
    }
    for (Future<Void> loop : threads.invokeAll(loops)) {
      await(loop);
    }
  }

  private static void await(Future<Void> loop) throws InterruptedException {
    try {
      loop.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("a client failed: " + e.getCause(), e);
    }
  }

  @Override
  public void close() {
    threads.close();
    clients.forEach(Client::close);
    program.close();
  }
}
