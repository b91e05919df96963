package org.calando.store.redis.internal;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.calando.core.store.Outcome;
import org.calando.store.redis.internal.Slot.Kind;

/** The first error of each kind of operation and outcome, in the server's words. Thread safe. */
final class FirstErrors {
  private static final int MAX_LENGTH = 200;

  private record Sort(Kind kind, Outcome outcome) {}

  private final Map<Sort, String> texts = new ConcurrentHashMap<>();

  /** Keeps the error if it is the first of its sort. */
  void note(Kind kind, Outcome outcome, String error) {
    texts.computeIfAbsent(
        new Sort(kind, outcome),
        sort ->
            "first %s that was %s: %s"
                .formatted(
                    kind.name().toLowerCase(Locale.ROOT),
                    outcome.name().toLowerCase(Locale.ROOT),
                    error.substring(0, Math.min(MAX_LENGTH, error.length()))));
  }

  /** What was kept, each with its kind and outcome. */
  List<String> texts() {
    return List.copyOf(texts.values());
  }
}
