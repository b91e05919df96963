package org.calando.study.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ForwardingSession;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.workload.StalenessOracle;

/**
 * A session that keeps in mind which rows could not be written while a table is loaded, and writes
 * them again: an overloaded cluster fails some of many writes at once, and none of few. Thread safe
 * while it loads.
 */
public final class LoadedRows extends ForwardingSession {
  /** How often a row is written again. */
  public static final int ATTEMPTS = 3;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);

  private final Pause pause;
  private final List<Row> failed = Collections.synchronizedList(new ArrayList<>());

  /** Lets time go by. */
  public interface Pause {
    /** Returns after that time. */
    void take(Duration time) throws InterruptedException;
  }

  private record Row(long key, int field, int valueBytes) {}

  /** Wraps a session. */
  public LoadedRows(Session session, Pause pause) {
    super(session);
    this.pause = pause;
  }

  /**
   * Writes the rows that failed again at ALL, one by one: each at once, then after 2 s, then after
   * 4 s. It ends at a row that fails in all of them, so that a cluster that is down is not asked
   * for each row.
   *
   * @param rows how many failed by the load's own count; of others the keys are not known
   * @return whether all of them are written
   */
  public boolean retry(long rows, StalenessOracle oracle) throws InterruptedException {
    List<Row> left = List.copyOf(failed);
    if (left.size() != rows) {
      return false;
    }
    for (Row row : left) {
      if (!retry(row, oracle)) {
        return false;
      }
    }
    return true;
  }

  private boolean retry(Row row, StalenessOracle oracle) throws InterruptedException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      pause.take(attempt == 0 ? Duration.ZERO : FIRST_PAUSE.multipliedBy(1L << attempt));
      BlockingQueue<Outcome> answer = new ArrayBlockingQueue<>(1);
      long version = oracle.beginWrite(0, 0, row.key);
      super.write(
          0,
          row.key,
          row.field,
          row.valueBytes,
          version,
          ConsistencyLevel.ALL,
          (slot, outcome, ignored) -> answer.add(outcome));
      Outcome outcome = answer.poll(LONGEST_ANSWER.toSeconds(), TimeUnit.SECONDS);
      oracle.endWrite(0, outcome == null ? Outcome.INDETERMINATE : outcome, System.nanoTime());
      if (outcome == Outcome.OK) {
        return true;
      }
      if (outcome == null) {
        return false; // its slot is not free
      }
    }
    return false;
  }

  @Override
  public void write(
      int slot,
      long key,
      int field,
      int valueBytes,
      long version,
      ConsistencyLevel level,
      Completion completion) {
    super.write(
        slot,
        key,
        field,
        valueBytes,
        version,
        level,
        (freed, outcome, found) -> {
          if (outcome.isError()) {
            failed.add(new Row(key, field, valueBytes));
          }
          completion.complete(freed, outcome, found);
        });
  }
}
