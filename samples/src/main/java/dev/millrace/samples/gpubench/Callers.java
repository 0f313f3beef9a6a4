package dev.millrace.samples.gpubench;

import dev.millrace.program.Arguments;
import dev.millrace.program.Program;
import dev.millrace.program.RunMode;
import dev.millrace.stream.DeviceStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** Threads with a stream each that run one program, as the C side's callers do. */
final class Callers implements AutoCloseable {
  private final Pattern pattern;
  private final Program program;
  private final Kernels.Raw around;
  private final List<DeviceStream> streams = new ArrayList<>();
  private final List<Arguments> arguments = new ArrayList<>();

  /** All start at once, when each has made one run. */
  private record Start(CountDownLatch ready, CountDownLatch go) {
    void await() {
      ready.countDown();
      awaitUninterrupted(go);
    }
  }

  Callers(Machine machine, Pattern pattern, Program program, Kernels.Raw around, int callers) {
    this.pattern = pattern;
    this.program = program;
    this.around = around;
    for (int i = 0; i < callers; i++) {
      streams.add(machine.device().newStream());
      arguments.add(program.arguments());
    }
  }

  /** Microseconds a run, of all callers' runs. */
  double micros(int runs) {
    int callers = streams.size();
    Start start = new Start(new CountDownLatch(callers), new CountDownLatch(1));
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      DeviceStream stream = streams.get(i);
      Arguments io = arguments.get(i);
      threads.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, thrown) -> fail(failures, thrown, start))
              .start(() -> call(stream, io, runs, start)));
    }
    awaitUninterrupted(start.ready);
    long begin = System.nanoTime();
    start.go.countDown();
    threads.forEach(Callers::join);
    double micros = (System.nanoTime() - begin) / 1_000.0 / runs / callers;
    if (!failures.isEmpty()) {
      throw new IllegalStateException("a caller's run of " + pattern, failures.peek());
    }
    return micros;
  }

  /** The others need not wait for one that will not come. */
  private static void fail(Queue<Throwable> failures, Throwable thrown, Start start) {
    failures.add(thrown);
    start.ready.countDown();
  }

  private void call(DeviceStream stream, Arguments io, int runs, Start start) {
    oneRun(stream, io);
    stream.synchronize();
    start.await();
    for (int i = 0; i < runs; i++) {
      oneRun(stream, io);
    }
    stream.synchronize();
  }

  private void oneRun(DeviceStream stream, Arguments io) {
    long address = stream.handle().address();
    around.launch(address);
    if (pattern == Pattern.HOST_SYNC) {
      stream.synchronize();
      program.run(io).close();
    } else if (pattern.mode() == RunMode.EXTERNAL) {
      program.submit(io, stream);
    } else {
      program.runAsync(io, stream, pattern.mode()).close();
    }
    around.launch(address);
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    arguments.forEach(Arguments::close);
    streams.forEach(DeviceStream::close);
  }
}
