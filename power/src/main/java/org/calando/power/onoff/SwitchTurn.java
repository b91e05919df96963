package org.calando.power.onoff;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;
import org.calando.power.Ticker;
import org.calando.power.onoff.PowerSwitch.State;

/** One order, from the first look at the node to the last. Not thread safe. */
final class SwitchTurn {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How long a node may answer of which the switch said off before any order. */
  private static final long CONTRADICTED_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long FIRST_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PowerSwitch plain;
  private final Sight sight;
  private final SwitchTimes times;
  private final Ticker ticker;

  SwitchTurn(PowerSwitch plain, Sight sight, SwitchTimes times, Ticker ticker) {
    this.plain = plain;
    this.sight = sight;
    this.times = times;
    this.ticker = ticker;
  }

  /** Gives an order to the switch. */
  @FunctionalInterface
  private interface Order {
    void give() throws InterruptedException;
  }

  /**
   * Orders the node and waits until it is as ordered.
   *
   * @param wanted on or off
   * @param gracefully whether a node that goes off is asked first
   */
  void run(State wanted, boolean gracefully) throws InterruptedException {
    long beginNanos = ticker.nanos();
    Duration within = wanted == State.ON ? times.onWithin() : times.offWithin();
    long endNanos = beginNanos + within.toNanos();
    if (isSoAlready(wanted)) {
      return;
    }
    if (wanted == State.OFF && times.forceAfter().isEmpty() && sight.isContradicted()) {
      // There is nothing left to order: only a node that is just about to end is worth waiting for.
      endNanos = Math.min(endNanos, beginNanos + CONTRADICTED_NANOS);
    }
    boolean done;
    if (wanted == State.ON) {
      done = carryOut(wanted, plain::on, true, endNanos);
    } else if (!gracefully) {
      done = carryOut(wanted, plain::forceOff, true, endNanos);
    } else if (times.forceAfter().isEmpty()) {
      done = carryOut(wanted, plain::off, false, endNanos);
    } else {
      done =
          askFirst(beginNanos + times.forceAfter().get().toNanos())
              || carryOut(wanted, plain::forceOff, true, endNanos);
    }
    if (!done) {
      throw sight.failure(wanted, TimeUnit.NANOSECONDS.toSeconds(ticker.nanos() - beginNanos));
    }
  }

  private boolean isSoAlready(State wanted) throws InterruptedException {
    sight.look(wanted);
    if (!sight.isSettled(wanted) && !sight.isContrary(wanted)) {
      pause(FIRST_PAUSE_NANOS, Long.MAX_VALUE);
      sight.look(wanted);
    }
    return sight.isSettled(wanted);
  }

  /** Asks the node to go off; a switch that cannot ask it has force left. */
  private boolean askFirst(long untilNanos) throws InterruptedException {
    try {
      return carryOut(State.OFF, plain::off, false, untilNanos);
    } catch (FailedWorkException e) {
      return await(State.OFF, untilNanos, Long.MAX_VALUE);
    }
  }

  /**
   * Gives the order and waits.
   *
   * @param again whether one that the read-back contradicts may be given again
   * @return whether the node is as wanted
   * @throws FailedWorkException if the switch does not take the order
   */
  private boolean carryOut(State wanted, Order order, boolean again, long untilNanos)
      throws InterruptedException {
    int mostOrders = again ? times.attempts() : 1;
    for (int given = 1; ; given++) {
      try {
        give(order, untilNanos);
      } catch (FailedWorkException e) {
        if (isSoAlready(wanted)) {
          // The switch took the order, and only its answer was lost.
          return true;
        }
        throw e;
      }
      long leftNanos = untilNanos - ticker.nanos();
      long patienceNanos =
          given < mostOrders ? leftNanos / (mostOrders - given + 1) : Long.MAX_VALUE;
      if (await(wanted, untilNanos, patienceNanos)) {
        return true;
      }
      if (given >= mostOrders || ticker.nanos() - untilNanos >= 0) {
        return false;
      }
    }
  }

  private void give(Order order, long untilNanos) throws InterruptedException {
    long retryNanos = FIRST_RETRY_NANOS;
    for (int attempt = 1; ; attempt++) {
      try {
        order.give();
        return;
      } catch (FailedWorkException e) {
        if (attempt >= times.attempts() || ticker.nanos() + retryNanos - untilNanos >= 0) {
          throw e;
        }
      }
      pause(retryNanos, untilNanos);
      retryNanos *= 2;
    }
  }

  /**
   * Looks until the node is as wanted, or the order turns out to have failed.
   *
   * @param patienceNanos after how long to return if the switch still says the contrary
   */
  private boolean await(State wanted, long untilNanos, long patienceNanos)
      throws InterruptedException {
    long beginNanos = ticker.nanos();
    long pauseNanos = FIRST_PAUSE_NANOS;
    while (true) {
      sight.look(wanted);
      if (sight.isSettled(wanted)) {
        return true;
      }
      long nowNanos = ticker.nanos();
      boolean impatient = nowNanos - beginNanos >= patienceNanos && sight.isContrary(wanted);
      if (impatient || sight.isOrderLost() || nowNanos - untilNanos >= 0) {
        return false;
      }
      pause(pauseNanos, untilNanos);
      pauseNanos = Math.min(2 * pauseNanos, times.longestPause().toNanos());
    }
  }

  private void pause(long nanos, long untilNanos) throws InterruptedException {
    long nowNanos = ticker.nanos();
    long atNanos = nowNanos + nanos;
    ticker.awaitUntil(untilNanos == Long.MAX_VALUE ? atNanos : Math.min(atNanos, untilNanos));
  }
}
