package dev.millrace.conformance;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls that a {@link FaultyDriver} got, and the one that it shall fail. Any thread. */
public final class CallLog {
  private final List<DriverCall> calls = new ArrayList<>();
  private @Nullable Thread chosenThread;
  private @Nullable String chosenFunction;
  private int callsToChosen;
  private @Nullable DriverCall failed;

  CallLog() {}

  /**
   * Lets the n-th call from now fail, counting those of the calling thread.
   *
   * @param n 1 for the next one
   */
  public synchronized void failCall(int n) {
    choose(Thread.currentThread(), null, n);
  }

  /**
   * Lets the n-th call of one function from now fail, whoever makes it.
   *
   * @param function the driver's method
   * @param n 1 for the next one
   */
  public synchronized void failCall(String function, int n) {
    choose(null, function, n);
  }

  private void choose(@Nullable Thread thread, @Nullable String function, int n) {
    chosenThread = thread;
    chosenFunction = function;
    callsToChosen = n;
    failed = null;
  }

  /**
   * What was made to fail.
   *
   * @return the call, or null if there was none since the last choice
   */
  public synchronized @Nullable DriverCall failed() {
    return failed;
  }

  /** Forgets the calls so far. */
  public synchronized void forget() {
    calls.clear();
  }

  /**
   * The calls since they were last forgotten.
   *
   * @return of all threads, in order
   */
  public synchronized List<DriverCall> calls() {
    return List.copyOf(calls);
  }

  /**
   * The calls of the calling thread since they were last forgotten.
   *
   * @return in order
   */
  public List<DriverCall> mine() {
    return calls().stream().filter(call -> call.thread() == Thread.currentThread()).toList();
  }

  /**
   * The functions that the calling thread called since they were last forgotten.
   *
   * @return in order
   */
  public List<String> myFunctions() {
    return mine().stream().map(DriverCall::function).toList();
  }

  /**
   * The calls of one function since they were last forgotten.
   *
   * @param function the driver's method
   * @return of all threads, in order
   */
  public List<DriverCall> of(String function) {
    return calls().stream().filter(call -> call.function().equals(function)).toList();
  }

  /** Adds a call; gives it back if it is the one to fail. */
  synchronized @Nullable DriverCall add(String function, long stream, long event) {
    DriverCall call =
        new DriverCall(calls.size() + 1, function, stream, event, Thread.currentThread());
    calls.add(call);
    if (!isCounted(call) || --callsToChosen > 0) {
      return null;
    }
    failed = call;
    return call;
  }

  private boolean isCounted(DriverCall call) {
    return callsToChosen > 0
        && (chosenThread == null || chosenThread == call.thread())
        && (chosenFunction == null || chosenFunction.equals(call.function()));
  }
}
