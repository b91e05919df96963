package org.calando.core.store;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The first error of each kind of operation and outcome, in the store's words. Thread safe. */
public final class FirstErrors {
  private static final int MAX_LENGTH = 200;

  private record Sort(Enum<?> kind, Outcome outcome) {}

  private final Map<Sort, String> texts = new ConcurrentHashMap<>();

  /** Keeps the error if it is the first of its sort: its cause, if it has one. */
  public void note(Enum<?> kind, Outcome outcome, Throwable error) {
    Throwable cause = error.getCause() == null ? error : error.getCause();
    note(kind, outcome, cause.getClass().getSimpleName() + ": " + cause.getMessage());
  }

  /** The same in words. */
  public void note(Enum<?> kind, Outcome outcome, String error) {
    texts.computeIfAbsent(new Sort(kind, outcome), sort -> text(sort, error));
  }

  /** What was kept, each with its kind and outcome. */
  public List<String> texts() {
    return List.copyOf(texts.values());
  }

  private static String text(Sort sort, String error) {
    String cut = error.length() <= MAX_LENGTH ? error : error.substring(0, MAX_LENGTH) + "...";
    return "first %s that was %s: %s".formatted(lower(sort.kind), lower(sort.outcome), cut);
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
