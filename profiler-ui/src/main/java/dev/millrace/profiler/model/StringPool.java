package dev.millrace.profiler.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Each distinct string once, by number. Number 0 is the empty string. */
final class StringPool {
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> strings = new ArrayList<>();

  StringPool() {
    number("");
  }

  int number(String string) {
    return numbers.computeIfAbsent(
        string,
        it -> {
          strings.add(it);
          return strings.size() - 1;
        });
  }

  String string(int number) {
    return strings.get(number);
  }
}
