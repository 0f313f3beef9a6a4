package dev.millrace.samples.bench;

import ai.onnxruntime.OrtException;
import com.sun.management.ThreadMXBean;
import dev.millrace.samples.models.MeasuredModel;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.Semaphore;

/**
 * The heap bytes of a submission to the host device, each thread's by its own counter.
 *
 * <p>On the submitting thread everything is ours: ONNX Runtime is not called there. On the stream's
 * thread the counter is read by host functions before and after a batch of runs, in the stream's
 * order. What {@code OrtSession.run} allocates of that is measured in the same way, with host
 * functions that call nothing else; the rest is ours. Where the compiler does away with an object
 * of the engine's in one of the two and not in the other, that difference is counted as ours too.
 *
 * @param submitting bytes a run on the submitting thread
 * @param streaming bytes a run on the stream's thread
 * @param engine bytes of a bare {@code OrtSession.run} on the stream's thread
 */
record SubmitBytes(double submitting, double streaming, double engine) {
  private static final int MOST = 64;

  /** So many runs are in flight at once. */
  private static final int BATCH = 32;

  private static final int WARM_UP = 20_000;
  private static final int BATCHES = 2_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Bytes of one submission: where it is made, and where it is worked off. */
  private record Bytes(double here, double onStream) {}

  /** The counter of the stream's thread, read in the stream's order; this allocates nothing. */
  private static final class Reading implements Runnable {
    private long bytes;

    @Override
    public void run() {
      bytes = THREADS.getCurrentThreadAllocatedBytes();
    }
  }

  static SubmitBytes measure() {
    LoadedTwice loaded = new LoadedTwice();
    loaded.model = MeasuredModel.ONE_NODE;
    try {
      loaded.open();
      SubmitBytes bytes = measure(loaded);
      loaded.close();
      return bytes;
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }

  private static SubmitBytes measure(LoadedTwice loaded) {
    Runnable bare = loaded::runBare;
    Runnable handOff = () -> loaded.stream.call(bare);
    Runnable submit = () -> loaded.program.submit(loaded.arguments, loaded.stream);
    batches(loaded, submit, WARM_UP);
    batches(loaded, handOff, WARM_UP);
    Bytes runs = batches(loaded, submit, BATCHES);
    Bytes engine = batches(loaded, handOff, BATCHES);
    return new SubmitBytes(runs.here, runs.onStream, engine.onStream);
  }

  private static Bytes batches(LoadedTwice loaded, Runnable submission, int count) {
    long here = 0;
    long onStream = 0;
    Reading first = new Reading();
    Reading last = new Reading();
    for (int batch = 0; batch < count; batch++) {
      Semaphore held = new Semaphore(0);
      // Held, the stream has all of the batch before it begins, and does it on one thread.
      loaded.stream.call(held::acquireUninterruptibly);
      loaded.stream.call(first);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < BATCH; i++) {
        submission.run();
      }
      here += THREADS.getCurrentThreadAllocatedBytes() - before;
      loaded.stream.call(last);
      held.release();
      loaded.stream.synchronize();
      onStream += last.bytes - first.bytes;
    }
    double runs = (double) count * BATCH;
    return new Bytes(here / runs, onStream / runs);
  }

  boolean holds() {
    return Math.rint(ours()) <= MOST;
  }

  private double ours() {
    return submitting + streaming - engine;
  }

  void print() {
    System.out.printf(
        Locale.ROOT,
        "%-8s submit allocates of ours: %.1f B, at most %d B (%.1f on the submitting thread;"
            + " %.1f on the stream's, of which OrtSession.run %.1f)%n",
        holds() ? "holds" : "MISSED",
        ours(),
        MOST,
        submitting,
        streaming,
        engine);
  }
}
