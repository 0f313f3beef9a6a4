package dev.millrace.samples.gpubench;

import dev.millrace.samples.bench.Median;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;

/**
 * Arms that are measured in turns, every second round backwards, so that what disturbs a round
 * disturbs all of them. A ratio is made of the two arms of each round.
 */
final class Rounds {
  private final Map<String, DoubleSupplier> arms = new LinkedHashMap<>();
  private final Map<String, List<Double>> seen = new LinkedHashMap<>();

  /** Adds an arm; one call of it is its figure of a round. */
  Rounds arm(String name, DoubleSupplier figure) {
    arms.put(name, figure);
    seen.put(name, new ArrayList<>());
    return this;
  }

  /** Measures. A round before the first is thrown away. */
  Rounds measure(int rounds) {
    List<String> names = List.copyOf(arms.keySet());
    names.forEach(this::figure);
    for (int round = 0; round < rounds; round++) {
      for (String name : round % 2 == 0 ? names : names.reversed()) {
        values(name).add(figure(name));
      }
    }
    return this;
  }

  private double figure(String name) {
    DoubleSupplier arm = arms.get(name);
    if (arm == null) {
      throw new IllegalArgumentException("arm=" + name + ": expected one of " + arms.keySet());
    }
    return arm.getAsDouble();
  }

  private List<Double> values(String name) {
    return seen.getOrDefault(name, List.of());
  }

  Median of(String name) {
    return Median.within(values(name).stream().mapToDouble(Double::doubleValue));
  }

  Median ratio(String over, String under) {
    List<Double> a = values(over);
    List<Double> b = values(under);
    return Median.within(IntStream.range(0, a.size()).mapToDouble(i -> a.get(i) / b.get(i)));
  }
}
