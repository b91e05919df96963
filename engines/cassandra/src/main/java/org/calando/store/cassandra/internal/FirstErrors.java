package org.calando.store.cassandra.internal;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.calando.core.store.Outcome;
import org.calando.store.cassandra.internal.Slot.Kind;

/** The first error of each kind of operation and outcome, in the driver's words. Thread safe. */
final class FirstErrors {
  private static final int MAX_LENGTH = 200;

  private record Sort(Kind kind, Outcome outcome) {}

  private final Map<Sort, String> texts = new ConcurrentHashMap<>();

  /** Keeps the error if it is the first of its sort. */
  void note(Kind kind, Outcome outcome, Throwable error) {
    texts.computeIfAbsent(new Sort(kind, outcome), sort -> text(sort, error));
  }

  /** What was kept, each with its kind and outcome. */
  List<String> texts() {
    return List.copyOf(texts.values());
  }

  private static String text(Sort sort, Throwable error) {
    Throwable cause = error.getCause() == null ? error : error.getCause();
    String message = cause.getClass().getSimpleName() + ": " + cause.getMessage();
    String cut =
        message.length() <= MAX_LENGTH ? message : message.substring(0, MAX_LENGTH) + "...";
    return "first %s that was %s: %s".formatted(lower(sort.kind), lower(sort.outcome), cut);
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
