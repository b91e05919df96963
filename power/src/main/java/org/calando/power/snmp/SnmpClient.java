package org.calando.power.snmp;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.calando.power.MeterException;
import org.calando.power.Ticker;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;

/**
 * What the probes of one device share: its session, and the answers of an exchange.
 *
 * <p>Whoever asks first in a tick asks for all; the others, who ask at the same time or soon after,
 * get the same answers, each of them once. The answers carry the time at which they were true.
 * Thread safe.
 */
final class SnmpClient {
  /** Answers older than that are asked for again; well below a second, the usual period. */
  private static final long SHARE_NANOS = 250_000_000L;

  /** Objects in one message: their answers fit into one packet of 1500 bytes. */
  private static final int MAX_PER_MESSAGE = 32;

  private final SnmpDevice device;
  private final Ticker ticker;
  private final AtomicInteger perMessage = new AtomicInteger(MAX_PER_MESSAGE);
  private final Map<Object, Set<OID>> watched = new HashMap<>();
  private @Nullable SnmpSession session;
  private @Nullable Round latest;
  private boolean closed;

  SnmpClient(SnmpDevice device, Ticker ticker) {
    this.device = device;
    this.ticker = ticker;
  }

  /** An exchange, whom it concerns and who has had its answers. */
  private static final class Round {
    final CompletableFuture<SnmpAnswers> answers;
    final Set<OID> asked;
    final Set<Object> served = new HashSet<>();
    volatile long endNanos;

    Round(CompletableFuture<SnmpAnswers> answers, Set<OID> asked) {
      this.answers = answers;
      this.asked = asked;
    }
  }

  /** Says what a probe will ask for from now on. */
  synchronized void watch(Object probe, Set<OID> oids) {
    watched.put(probe, Set.copyOf(oids));
  }

  /**
   * Answers for all that the probe watches, true at or after its last ones.
   *
   * @throws MeterException if nothing can be asked
   */
  synchronized CompletableFuture<SnmpAnswers> ask(Object probe, long deadlineNanos)
      throws MeterException {
    Set<OID> mine = watched.getOrDefault(probe, Set.of());
    Round round = latest;
    if (round == null || !shares(round, probe, mine)) {
      round = begin(deadlineNanos);
      latest = round;
    }
    round.served.add(probe);
    return round.answers;
  }

  private boolean shares(Round round, Object probe, Set<OID> mine) {
    if (!round.asked.containsAll(mine)) {
      return false;
    }
    if (!round.answers.isDone()) {
      return true;
    }
    return !round.served.contains(probe) && ticker.nanos() - round.endNanos <= SHARE_NANOS;
  }

  /**
   * Finds the device and reads the passwords, if that is not done yet.
   *
   * @throws MeterException if that fails
   */
  synchronized SnmpSession connect() throws MeterException {
    if (closed) {
      throw SnmpFailures.ended(device);
    }
    SnmpSession open = session;
    if (open == null) {
      open = SnmpSession.open(device);
      session = open;
    }
    return open;
  }

  private Round begin(long deadlineNanos) throws MeterException {
    SnmpSession open = connect();
    Set<OID> all = new LinkedHashSet<>();
    watched.values().forEach(all::addAll);
    CompletableFuture<SnmpAnswers> answers = new CompletableFuture<>();
    Round round = new Round(answers, all);
    round.endNanos = ticker.nanos();
    var unused =
        new SnmpExchange(device, open, ticker, perMessage, all, deadlineNanos)
            .begin()
            .whenComplete((got, error) -> end(round, got, error));
    return round;
  }

  private void end(Round round, @Nullable SnmpAnswers got, @Nullable Throwable error) {
    round.endNanos = ticker.nanos();
    if (got != null) {
      round.answers.complete(got);
    } else {
      round.answers.completeExceptionally(
          error == null ? SnmpFailures.broken(device, null) : error);
    }
  }

  /** Forgets a probe; the last one closes the session. Returns whether none is left. */
  synchronized boolean leave(Object probe) {
    watched.remove(probe);
    if (!watched.isEmpty()) {
      return false;
    }
    closed = true;
    SnmpSession open = session;
    if (open != null) {
      open.close();
    }
    Round round = latest;
    if (round != null) {
      round.answers.completeExceptionally(SnmpFailures.ended(device));
    }
    return true;
  }
}
