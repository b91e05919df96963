package org.calando.session;

import com.datastax.oss.driver.api.core.CqlSession;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Observation;
import org.calando.session.internal.MonitorRound;

/**
 * Tells the rates of requests for tables, of all clients, from what the nodes themselves count:
 * telemetry of Cassandra 4.0 or newer over CQL alone. Thread safe; has no thread of its own.
 *
 * <p>Each {@link #ask} puts one question to every node that the session is connected to, all at
 * once, each with a deadline, after which an answer is still taken for a while; a node that still
 * owes one is not asked again. A rate is that between two answers of the same node, so late and
 * lost answers make an interval longer and never a rate wrong. Memory is bounded by tables times
 * nodes.
 *
 * <p>What it does not see: requests that nodes of other data centres coordinate, if the session is
 * not connected to them.
 */
public final class Monitor {
  private static final int ATTEMPTS = 10;

  private final MonitorRound round;

  private Monitor(Builder builder) {
    round =
        new MonitorRound(
            builder.session,
            Set.copyOf(builder.tables),
            builder.deadline,
            builder.clock,
            builder.ownWriteBytes);
  }

  /**
   * A builder; every default stands at its method.
   *
   * @param session asks the nodes; stays open when the monitor is no longer used
   */
  public static Builder builder(CqlSession session) {
    return new Builder(session);
  }

  /**
   * Asks every node.
   *
   * @return completes, never exceptionally, when each node has answered or missed its deadline;
   *     from a thread of the driver, which must not be blocked
   */
  public CompletableFuture<Void> ask() {
    return round.ask();
  }

  /**
   * Asks every node and waits for the answers, to find out whether they may be asked at all. Nodes
   * that are only slow, as those of a cluster that has just been started, are asked some ten times.
   *
   * @throws BadRequestException if a node refuses: the role may not read the counts, or the server
   *     is too old to have them
   * @throws FailedWorkException if no node answers
   */
  public void check() {
    for (int attempt = 1; ; attempt++) {
      try {
        ask().join();
        round.requireAnswers();
        return;
      } catch (CompletionException e) {
        throw new FailedWorkException(
            "the nodes cannot be asked: " + e.getCause(), "monitor", "", e);
      } catch (FailedWorkException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** What is known of a table that is watched, as of the answers so far. */
  public MonitorFigures figures(TableName table) {
    return round.figures(table);
  }

  /** The rates of {@link #figures}. */
  public Optional<Observation.Rates> rates(TableName table) {
    return figures(table).rates();
  }

  /** What the monitor has cost. */
  public Cost cost() {
    return round.cost();
  }

  /** Collects the settings; not thread safe. */
  public static final class Builder {
    private final CqlSession session;
    private final Set<TableName> tables = new LinkedHashSet<>();
    private Duration deadline = Duration.ofMillis(500);
    private LongSupplier clock = System::nanoTime;
    private ToDoubleFunction<TableName> ownWriteBytes = table -> Double.NaN;

    private Builder(CqlSession session) {
      this.session = session;
    }

    /** Watches one more table; at least one. */
    public Builder watch(TableName table) {
      tables.add(table);
      return this;
    }

    /** Time a node has for its answer, more than 0; default 500 ms. */
    public Builder deadline(Duration newDeadline) {
      deadline = newDeadline;
      return this;
    }

    /** The monotonic clock, in nanoseconds, of all times told; default {@link System#nanoTime}. */
    public Builder clock(LongSupplier newClock) {
      clock = newClock;
      return this;
    }

    /** Mean bytes of the application's own writes to a table, NaN if it made none; default none. */
    public Builder ownWriteBytes(ToDoubleFunction<TableName> newOwnWriteBytes) {
      ownWriteBytes = newOwnWriteBytes;
      return this;
    }

    /**
     * The monitor; sends nothing yet.
     *
     * @throws BadRequestException if no table is watched, or a deadline is not more than 0
     */
    public Monitor build() {
      if (tables.isEmpty()) {
        throw new BadRequestException("no table is watched", "monitor", "name one");
      }
      if (deadline.isZero() || deadline.isNegative()) {
        throw new BadRequestException(
            "a deadline of " + deadline, "monitor", "give it more than 0");
      }
      return new Monitor(this);
    }
  }
}
