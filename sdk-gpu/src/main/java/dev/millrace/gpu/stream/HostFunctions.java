package dev.millrace.gpu.stream;

import dev.millrace.gpu.ffi.HipStreams;
import dev.millrace.gpu.ffi.HostCallback;
import dev.millrace.spi.HostWork;
import dev.millrace.trace.Trace;
import dev.millrace.trace.TraceEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Host functions of all open GPUs. HIP calls one C function with a number; the number is a ticket
 * for what Java shall run.
 */
final class HostFunctions {
  private static final long STUB = HostCallback.of(HostFunctions::serve);
  private static final List<@Nullable Ticket> TICKETS = new ArrayList<>();
  private static final ArrayDeque<Integer> FREE = new ArrayDeque<>();
  private static final AtomicInteger RUNNING = new AtomicInteger();
  private static final ThreadLocal<@Nullable GpuStream> HERE = new ThreadLocal<>();

  private record Ticket(GpuStream stream, HostWork work, long correlation, long index) {}

  private HostFunctions() {}

  /** Enqueues a host function; the stream's device is current. */
  static void launch(GpuStream stream, HostWork work, long correlation) {
    long index = correlation == 0 ? 0 : stream.nextIndex();
    int number = add(new Ticket(stream, work, correlation, index));
    boolean launched = false;
    try {
      HipStreams.launchHostFunc(stream.address, STUB, number);
      launched = true;
    } finally {
      if (!launched) {
        take(number);
      }
    }
  }

  /** The stream whose host function the calling thread runs; null if it runs none. */
  static @Nullable GpuStream here() {
    return RUNNING.get() == 0 ? null : HERE.get();
  }

  private static int add(Ticket ticket) {
    synchronized (TICKETS) {
      Integer number = FREE.poll();
      if (number == null) {
        TICKETS.add(ticket);
        return TICKETS.size() - 1;
      }
      TICKETS.set(number, ticket);
      return number;
    }
  }

  private static @Nullable Ticket take(int number) {
    synchronized (TICKETS) {
      Ticket ticket = TICKETS.set(number, null);
      FREE.push(number);
      return ticket;
    }
  }

  private static void serve(long number) {
    Ticket ticket = take((int) number);
    if (ticket != null) {
      perform(ticket);
    }
  }

  private static void perform(Ticket ticket) {
    GpuStream stream = ticket.stream;
    long beganNs = System.nanoTime();
    RUNNING.incrementAndGet();
    HERE.set(stream);
    stream.performing(new GpuStream.Performance(ticket.work, beganNs));
    try {
      ticket.work.run();
    } catch (Throwable e) { // an Error too is the stream's failure: the thread is the runtime's
      stream.addFailure(e);
    } finally {
      stream.performing(null);
      HERE.remove();
      RUNNING.decrementAndGet();
      Thread.interrupted(); // what a host function left behind is not the next one's
    }
    if (ticket.correlation != 0 && Trace.isOn()) {
      tell(ticket, beganNs);
    }
  }

  private static void tell(Ticket ticket, long beganNs) {
    Trace.emit(
        new TraceEvent.DeviceWork(
            ticket.work.kind(),
            ticket.work.name(),
            ticket.correlation,
            ticket.stream.traceId,
            ticket.index,
            beganNs,
            System.nanoTime(),
            ticket.work.runId()));
  }
}
