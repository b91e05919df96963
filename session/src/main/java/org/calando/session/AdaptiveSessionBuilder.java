package org.calando.session;

import com.datastax.oss.driver.api.core.CqlSession;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.PbsPolicy;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.internal.Adaptation;
import org.calando.session.internal.SketchKeys;
import org.calando.session.internal.governed.HttpGovernor;

/** Collects an adaptive session's settings; not thread safe. */
public final class AdaptiveSessionBuilder {
  private final CqlSession session;
  private final Map<TableName, Double> tolerated = new LinkedHashMap<>();
  private final Map<TableName, ConsistencyLevel> writeLevels = new LinkedHashMap<>();
  private boolean freshFirst;
  private Optional<PolicyFactory> policies = Optional.empty();
  private Function<TableName, KeyObserver> keys =
      table -> new SketchKeys(ThreadLocalRandom.current().nextLong());
  private DecisionListener listener = (table, share, decision) -> {};
  private Duration period = Duration.ofSeconds(1);
  private Duration popularityWindow = Duration.ofSeconds(2);
  private Duration monitorDeadline = Duration.ofMillis(500);
  private double canariesPerSecond = 5;
  private Duration restAfter = Duration.ofMinutes(1);
  private Duration startWithin = Duration.ofSeconds(1);
  private LongSupplier clock = System::nanoTime;
  private Optional<Path> state = Optional.empty();
  private Optional<URI> governor = Optional.empty();
  private Optional<Path> governorToken = Optional.empty();
  private Optional<Path> governorAuthority = Optional.empty();

  AdaptiveSessionBuilder(CqlSession session) {
    this.session = session;
  }

  /**
   * Gives reads of a table the weakest level that keeps to a share of stale ones; at least one
   * table.
   *
   * @param table as {@code keyspace.table}
   * @param share of stale reads that is tolerated, 0 .. 1; at 0 reads always use the safe level,
   *     whatever fails then
   * @throws BadRequestException if the name or the share is none
   */
  public AdaptiveSessionBuilder tolerate(String table, double share) {
    requireShare(share, "table " + table);
    tolerated.put(TableName.parse(table), share);
    return this;
  }

  /**
   * Declares the weakest level at which any client writes to a table; default the session's own
   * level. A weaker one that this session itself writes at is noticed and counts from then on.
   *
   * @param table as {@code keyspace.table}
   */
  public AdaptiveSessionBuilder writeLevel(String table, ConsistencyLevel level) {
    writeLevels.put(TableName.parse(table), level);
    return this;
  }

  /**
   * Lets freshness come before availability: while figures are unknown reads use the safe level,
   * which is ALL where writes are at ONE, and fails while a replica is down. Default is
   * (LOCAL_)QUORUM at most, at which reads that are stale may exceed what is tolerated until
   * figures are known.
   */
  public AdaptiveSessionBuilder freshFirst() {
    freshFirst = true;
    return this;
  }

  /** What decides; default {@link PbsPolicy} with the usual {@link AdaptiveConfig}. */
  public AdaptiveSessionBuilder policy(PolicyFactory newPolicies) {
    policies = Optional.of(newPolicies);
    return this;
  }

  /** What learns the popularity of a table's keys; default a sketch of 170 KB for each table. */
  public AdaptiveSessionBuilder keys(Function<TableName, KeyObserver> newKeys) {
    keys = newKeys;
    return this;
  }

  /** Who is told of every decision; default nobody. */
  public AdaptiveSessionBuilder listener(DecisionListener newListener) {
    listener = newListener;
    return this;
  }

  /** How often to decide, 10 ms or more; default a second. A decision holds for five of them. */
  public AdaptiveSessionBuilder period(Duration newPeriod) {
    period = newPeriod;
    return this;
  }

  /**
   * Over how long the popularity of keys is learned, a period or more; default 2 s. With few reads
   * it takes up to three times as long.
   */
  public AdaptiveSessionBuilder popularityWindow(Duration newPopularityWindow) {
    popularityWindow = newPopularityWindow;
    return this;
  }

  /** Time a node has to tell its counts, more than 0; default 500 ms. */
  public AdaptiveSessionBuilder monitorDeadline(Duration newMonitorDeadline) {
    monitorDeadline = newMonitorDeadline;
    return this;
  }

  /** Canaries a second in each keyspace, more than 0 and at most 100; default 5. */
  public AdaptiveSessionBuilder canariesPerSecond(double newCanariesPerSecond) {
    canariesPerSecond = newCanariesPerSecond;
    return this;
  }

  /**
   * Time without a read of its tables after which nothing of a keyspace is measured or asked for,
   * until the next read; more than 0, default a minute.
   */
  public AdaptiveSessionBuilder restAfter(Duration newRestAfter) {
    restAfter = newRestAfter;
    return this;
  }

  /**
   * How long {@link #build} waits for what is measured with: tables of its own, and what the role
   * may do; 0 or more, default a second. What takes longer, as a new table does beside a node that
   * died a moment ago, is done behind it, with reads at the fallback until then; what fails or is
   * refused then is told by {@link LevelInUse#reasons}, and is tried again every ten seconds.
   */
  public AdaptiveSessionBuilder startWithin(Duration newStartWithin) {
    startWithin = newStartWithin;
    return this;
  }

  /**
   * The clock, in nanoseconds, of all times told and decided by; default {@link System#nanoTime}.
   * When it jumps, forwards or back, reads are at the fallback until figures are fresh again.
   */
  public AdaptiveSessionBuilder clock(LongSupplier newClock) {
    clock = newClock;
    return this;
  }

  /**
   * A file that keeps what the session knows, so that the next one begins with it where that is no
   * older than ten minutes and replication and level of writes are the same; default none. It is
   * written every ten seconds and when the session is closed. A file that is damaged is not used,
   * and {@link LevelInUse#reasons} says so.
   */
  public AdaptiveSessionBuilder state(Path file) {
    state = Optional.of(file);
    return this;
  }

  /**
   * Checks everything and begins to observe; blocks until then, or for {@link #startWithin}. The
   * wrapped session stays open if it fails.
   *
   * @throws BadRequestException if the driver's session is closed, no table is named, one is not
   *     there or holds counters, its writes' level cannot be met, a setting is out of range, or the
   *     role may not do what {@link Monitor} and {@link Canary} need, as far as that is known in
   *     time
   * @throws FailedWorkException if the cluster fails to do what is needed in that time
   */
  public AdaptiveSession build() {
    require(
        !session.isClosed(),
        "the driver's session is closed",
        "wrap one that is open; closing an adaptive session closes the driver's too");
    require(!tolerated.isEmpty(), "no table is named", "tolerate(table, share)");
    writeLevels.keySet().stream()
        .filter(table -> !tolerated.containsKey(table))
        .findFirst()
        .ifPresent(
            table -> {
              throw new BadRequestException(
                  "a level of writes is declared for a table that is not named",
                  "table " + table,
                  "name it with tolerate(table, share) too");
            });
    require(
        period.toMillis() >= 10 && popularityWindow.compareTo(period) >= 0,
        "a period of %s, a popularity window of %s".formatted(period, popularityWindow),
        "give a period of 10 ms or more, and a window no shorter");
    require(!startWithin.isNegative(), "a start within " + startWithin, "give it 0 or more");
    require(
        governor.isEmpty() || policies.isEmpty(),
        "a policy of its own beside a governor, which decides by the default one",
        "leave out policy(..) or governedBy(..)");
    require(
        governor.isPresent() || governorToken.or(() -> governorAuthority).isEmpty(),
        "a governor's token or authority without a governor",
        "name it with governedBy(uri) too");
    boolean rests = !restAfter.isZero() && !restAfter.isNegative();
    require(
        canariesPerSecond > 0 && canariesPerSecond <= 100 && rests,
        "%s canaries a second, rest after %s".formatted(canariesPerSecond, restAfter),
        "give it up to 100 canaries a second and a rest, both more than 0");
    return new AdaptiveSession(
        session,
        Adaptation.start(
            session,
            new Adaptation.Settings(
                Map.copyOf(tolerated),
                Map.copyOf(writeLevels),
                freshFirst,
                policies.orElseGet(() -> Adaptation.usualPolicies(freshFirst)),
                keys,
                listener,
                new Adaptation.Pace(
                    period,
                    popularityWindow,
                    monitorDeadline,
                    canariesPerSecond,
                    restAfter,
                    startWithin,
                    clock),
                state,
                governor.map(uri -> new HttpGovernor(uri, governorToken, governorAuthority)))));
  }

  /**
   * Has a governor decide: {@code ./calando govern} with {@code sessions: true} for the cluster. It
   * measures once for all sessions that it governs and pushes their levels, each of which holds for
   * seconds; the session reports what it reads and writes. While the governor does not answer,
   * levels stay for as long as the session's own shadow reads confirm them, and sessions agree on
   * who measures as without a governor. No read waits for the governor, or fails for it. Default
   * none. The governor decides by the default policy: {@link #policy} is refused beside it, and the
   * {@link #listener} is told of the session's own decisions only.
   *
   * @param cluster its address, as {@code http://127.0.0.1:7474/api/v1/clusters/shop}
   */
  public AdaptiveSessionBuilder governedBy(URI cluster) {
    governor = Optional.of(cluster);
    return this;
  }

  /**
   * The token that the governor asks for, the first line of a file, which is read for each request;
   * default none. It is sent over https only.
   */
  public AdaptiveSessionBuilder governorToken(Path file) {
    governorToken = Optional.of(file);
    return this;
  }

  /**
   * A PEM file of the certificates that the governor's is signed by, or its own; default those that
   * this machine trusts.
   */
  public AdaptiveSessionBuilder governorAuthority(Path file) {
    governorAuthority = Optional.of(file);
    return this;
  }

  private static void require(boolean holds, String problem, String remedy) {
    if (!holds) {
      throw new BadRequestException(problem, "adaptive session", remedy);
    }
  }

  static void requireShare(double share, String where) {
    if (!(share >= 0 && share <= 1)) {
      throw new BadRequestException(
          "a tolerated share of " + share, where, "give one from 0 to 1, as 0.05 for 5 %");
    }
  }
}
