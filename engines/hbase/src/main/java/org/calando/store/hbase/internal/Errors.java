package org.calando.store.hbase.internal;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.calando.core.store.Outcome;

/*
 *   what a server or the client refuses for good (DoNotRetryIOException, an argument)   FAILED
 *   no answer in time, connections that broke, retries that came to an end              INDETERMINATE
 *
 * A write of the second kind may have been applied by one of its attempts. Its timestamp makes that
 * harmless: it never hides a newer one.
 */
/** The first error of each sort, in the store's words; and what errors mean. Thread safe. */
final class Errors {
  private static final int MOST_LENGTH = 200;

  private final Map<String, String> texts = new ConcurrentHashMap<>();

  /** Keeps the error if it is the first of its sort. */
  void note(String operation, Outcome outcome, Throwable error) {
    texts.computeIfAbsent(
        operation + outcome,
        sort ->
            "first %s that was %s: %s"
                .formatted(operation, outcome.name().toLowerCase(Locale.ROOT), words(error)));
  }

  List<String> texts() {
    return List.copyOf(texts.values());
  }

  static Outcome outcome(Throwable error) {
    return isRefused(error) ? Outcome.FAILED : Outcome.INDETERMINATE;
  }

  /** Whether the store has refused the request: it has no effect, and never will. */
  static boolean isRefused(Throwable error) {
    Throwable cause = cause(error);
    return cause instanceof DoNotRetryIOException || cause instanceof IllegalArgumentException;
  }

  /** Whether there is no such table any more, for whatever row. */
  static boolean isWithoutTable(Throwable error) {
    Throwable cause = cause(error);
    return cause instanceof TableNotFoundException || cause instanceof TableNotEnabledException;
  }

  /** What is behind the wrappers of futures and retries. */
  static Throwable cause(Throwable error) {
    Throwable at = error;
    while (at.getCause() != null && isWrapper(at)) {
      at = at.getCause();
    }
    return at;
  }

  private static boolean isWrapper(Throwable error) {
    return error instanceof CompletionException
        || error instanceof ExecutionException
        || error instanceof RetriesExhaustedException
        || error.getClass() == IOException.class
        || error.getClass() == RuntimeException.class;
  }

  /** The first line of an error, without the stack that servers send along. */
  static String words(Throwable error) {
    Throwable cause = cause(error);
    String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    String text = cause.getClass().getSimpleName() + ": " + message;
    return text.substring(0, Math.min(MOST_LENGTH, text.length()));
  }
}
