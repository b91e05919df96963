package org.calando.session;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.Optional;
import org.calando.core.policy.Observation;
import org.calando.core.staleness.LagModel;
import org.calando.session.internal.CanaryRun;

/**
 * Measures how long writes take to reach each replica, by writes of its own to a table of its own,
 * and what share of reads is stale. Thread safe.
 *
 * <p>A canary writes a row at the write level in use, through a coordinator that the session picks
 * as for any request, then reads it through each of the key's replicas until it is there: the
 * {@link #lags}. Beside that it reads once at the level in use, or at ONE if that cannot miss a
 * write, at a random age: the {@link #truth}. The table, {@code calando_canary} in the keyspace of
 * the tables watched and so with their replication, is created if need be, with a mark; its rows
 * end after ten minutes. No other table is touched.
 *
 * <p>Canaries under way, samples kept and threads (one, or none with a timer given) are bounded. A
 * canary costs one write, about five reads for each replica that was behind, one for each that was
 * not, up to three for each number of replicas whose reads may miss a write, and one more: at the
 * default of 5 a second some 50 to 90 operations a second on three replicas. {@link #cost} counts
 * them.
 */
public final class Canary implements AutoCloseable {
  /** The canary's table, in the keyspace of the tables watched. */
  public static final String TABLE = "calando_canary";

  private final CanaryRun run;

  Canary(CanaryRun run) {
    this.run = run;
  }

  /**
   * A builder; every default stands at its method.
   *
   * @param session carries the requests; stays open when the canary is closed
   * @param keyspace of the tables watched, as the server spells it
   */
  public static CanaryBuilder builder(CqlSession session, String keyspace) {
    return new CanaryBuilder(session, keyspace);
  }

  /**
   * Lags of the newest writes; its time is that of the newest. A replica that is down or did not
   * have the write by the deadline has an infinite lag. Empty before the first sample and when all
   * are too old.
   */
  public Optional<Observation.Lags> lags() {
    return run.lags();
  }

  /**
   * The newest reads at the level in use, or at ONE where that cannot miss a write, beside what was
   * predicted; empty without one.
   *
   * @param model what predicts
   */
  public Optional<Observation.Truth> truth(LagModel model) {
    return run.truth(model);
  }

  /**
   * The reads of {@link #truth} that came since an earlier call: for whoever must not count one
   * twice.
   *
   * @param seen {@link TruthSince#seen} of the earlier call; 0 for all that are kept
   * @param model what predicts
   */
  public TruthSince truthSince(long seen, LagModel model) {
    return run.truthSince(seen, model);
  }

  /** Replicas of a key that count, N; 0 if the driver does not know now. */
  public int replicas() {
    return run.replicas();
  }

  /** Of a key's replicas those that answer, the fewest over all keys: 0 .. {@link #replicas}. */
  public int liveReplicas() {
    return run.liveReplicas();
  }

  /**
   * Whether most of its requests of late had no answer: there is more work than nodes can do, and
   * samples are left out.
   */
  public boolean isStrained() {
    return run.isStrained();
  }

  /** Writes that failed so far, which give no sample. */
  public long failedWrites() {
    return run.failedWrites();
  }

  /** Why the last of the failed writes failed; empty if none did. */
  public Optional<String> lastFailure() {
    return run.lastFailure();
  }

  /** What the canary has cost. */
  public Cost cost() {
    return run.cost();
  }

  /** Sends no further canary; requests under way end by themselves. Idempotent. */
  @Override
  public void close() {
    run.close();
  }
}
