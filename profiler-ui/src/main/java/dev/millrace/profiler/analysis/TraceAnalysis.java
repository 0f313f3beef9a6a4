package dev.millrace.profiler.analysis;

import dev.millrace.profiler.model.Calls;
import dev.millrace.profiler.model.Operations;
import dev.millrace.profiler.model.TraceModel;
import dev.millrace.profiler.model.Waits;
import dev.millrace.profiler.time.Coverage;
import dev.millrace.profiler.time.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the iterations of one trace cost, and what they waited for. Iterations are the ranges called
 * {@code millrace.iteration}; one without operations is left out.
 */
public final class TraceAnalysis {
  private final TraceModel trace;
  private final Lanes lanes;
  private final Submissions submissions;
  private final Iterations iterations;
  private final Causes causes;
  private final HostWaits hostWaits;
  private final int[][] callsOf;
  private final List<IterationReport> reports;

  private TraceAnalysis(TraceModel trace) {
    this.trace = trace;
    lanes = new Lanes(trace);
    submissions = new Submissions(trace);
    SubmissionOrder order = new SubmissionOrder(trace, submissions);
    iterations = new Iterations(trace, submissions);
    causes = new Causes(trace, lanes, submissions, order);
    hostWaits = new HostWaits(trace, order);
    Calls calls = trace.calls();
    callsOf =
        Ordering.by(
            calls.size(), trace.threads().size(), row -> true, calls::thread, calls::beginNs);
    reports = reportAll();
  }

  public static TraceAnalysis of(TraceModel trace) {
    return new TraceAnalysis(trace);
  }

  /** The iterations by caller, and each caller's in the order of their begin. */
  public List<IterationReport> iterations() {
    return reports;
  }

  /** What has to be known before they are believed. */
  public TraceFacts facts() {
    Waits waits = trace.waits();
    return new TraceFacts(
        lanes.operations(),
        iterations.orphans(),
        lanes.overlaps(),
        lanes.contiguous(),
        causes.contradictions(),
        IntStream.range(0, waits.size())
            .mapToObj(waits::disposition)
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting())),
        causes.launchCapNs());
  }

  private List<IterationReport> reportAll() {
    List<Iteration> list = iterations.list();
    List<Integer> sorted =
        IntStream.range(0, list.size())
            .filter(it -> iterations.operations(it).length > 0)
            .boxed()
            .sorted(
                Comparator.comparing((Integer it) -> list.get(it).caller())
                    .thenComparingLong(this::firstNs))
            .toList();
    List<IterationReport> all = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      int iteration = sorted.get(i);
      boolean hasNext =
          i + 1 < sorted.size()
              && list.get(sorted.get(i + 1)).caller().equals(list.get(iteration).caller());
      all.add(report(iteration, hasNext ? period(iteration, sorted.get(i + 1)) : NO_PERIOD));
    }
    return List.copyOf(all);
  }

  private static final OptionalLong NO_PERIOD = OptionalLong.empty();

  private OptionalLong period(int iteration, int next) {
    return OptionalLong.of(firstNs(next) - firstNs(iteration));
  }

  private long firstNs(int iteration) {
    return trace.operations().beginNs(iterations.operations(iteration)[0]);
  }

  private IterationReport report(int number, OptionalLong periodNs) {
    Iteration iteration = iterations.list().get(number);
    int[] own = iterations.operations(number);
    int last = last(own);
    Span response = new Span(firstSubmissionNs(own), trace.operations().endNs(last));
    List<PathSegment> path =
        CriticalPath.of(trace, causes, hostWaits, iterations, number, response, last);
    return new IterationReport(
        iteration,
        own.length,
        response,
        firstNs(number),
        periodNs,
        busyNs(own),
        submit(iteration),
        hostWaits.waitedNs(
            iteration.thread(), iteration.range().beginNs(), iteration.range().endNs()),
        path,
        Parts.of(path));
  }

  private int last(int[] own) {
    Operations ops = trace.operations();
    int last = own[0];
    for (int op : own) {
      last = ops.endNs(op) >= ops.endNs(last) ? op : last;
    }
    return last;
  }

  /** When the first of them had been submitted; where no call is in the trace, when it began. */
  private long firstSubmissionNs(int[] own) {
    long first = Long.MAX_VALUE;
    for (int op : own) {
      long atNs = submissions.isKnown(op) ? submissions.hiNs(op) : trace.operations().beginNs(op);
      first = Math.min(first, atNs);
    }
    return first;
  }

  private long busyNs(int[] own) {
    Coverage coverage = new Coverage();
    for (int op : own) {
      coverage.add(trace.operations().beginNs(op), trace.operations().endNs(op));
    }
    return coverage.coveredNs();
  }

  private Map<String, CallCost> submit(Iteration iteration) {
    Calls calls = trace.calls();
    int[] own = callsOf[iteration.thread()];
    int from = Ordering.countBelow(own, calls::beginNs, iteration.range().beginNs());
    int to = Ordering.countBelow(own, calls::beginNs, iteration.range().endNs());
    Map<String, CallCost> costs = new HashMap<>();
    for (int i = from; i < to; i++) {
      CallCost cost = new CallCost(1, calls.endNs(own[i]) - calls.beginNs(own[i]));
      costs.merge(calls.name(own[i]), cost, CallCost::plus);
    }
    return costs;
  }
}
