package org.calando.power;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts failed readings by message; keeps a bounded number of messages. Not thread safe. */
final class ReadingProblems {
  private static final int MOST_MESSAGES = 50;

  private final Map<String, Integer> counts = new LinkedHashMap<>();

  void add(MeterException problem) {
    String message = problem.where() + ": " + problem.what();
    if (counts.size() < MOST_MESSAGES || counts.containsKey(message)) {
      counts.merge(message, 1, Integer::sum);
    }
  }

  /** A line for each message, then forgets them. */
  List<String> drain() {
    List<String> lines = new ArrayList<>(counts.size());
    counts.forEach(
        (message, count) -> lines.add(message + (count == 1 ? "" : " (" + count + " readings)")));
    counts.clear();
    return lines;
  }
}
