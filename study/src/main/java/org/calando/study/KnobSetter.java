package org.calando.study;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.calando.clock.KnobLease;
import org.calando.control.Actor;
import org.calando.control.order.KnobOrders;
import org.calando.core.CalandoException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Knob;
import org.calando.knob.KnobAxis;
import org.jspecify.annotations.Nullable;

/*
 *   ordered: held > ordered: paused > held by the file > decided of late > as it was before
 */
/**
 * Sets a knob: to what an operator orders, else to what the file holds it at, else to what its
 * policy decides. Without a decision that is of late it is as it was before.
 */
final class KnobSetter<V> implements Actor {
  /** So long what was decided holds without another decision. */
  private static final int PERIODS_VALID = 5;

  private final KnobAxis<V> axis;
  private final Knob<V> knob;
  private final V before;
  private final Optional<V> file;
  private final Means its;
  private @Nullable V decided; // null before the first decision, and without one of late
  private @Nullable V inForce; // of what was set; null while it is as before
  private OptionalLong until = OptionalLong.empty();

  /**
   * What setting takes.
   *
   * @param lease of the knob
   * @param verify reads a knob, and sets again what others changed
   * @param troubles why knobs are not as they are to be, in words
   */
  record Means(
      KnobHolder.Means all,
      KnobLease lease,
      Consumer<Knob<?>> verify,
      Map<Knob<?>, String> troubles) {}

  /**
   * Sets nothing yet; reads the knob.
   *
   * @param file what the file holds it at; empty if a policy decides
   */
  KnobSetter(KnobAxis<V> axis, Knob<V> knob, Optional<V> file, Means its) {
    this.axis = axis;
    this.knob = knob;
    this.before = knob.current();
    this.file = file;
    this.its = its;
  }

  /** What is set. */
  Knob<V> knob() {
    return knob;
  }

  private KnobOrders.Order order() {
    return its.all().orders().of(axis.axis().name());
  }

  /** Not while an operator may set it by hand. */
  boolean isSet() {
    return isSet(order());
  }

  private static boolean isSet(KnobOrders.Order order) {
    return order.held().isPresent() || order.paused().isEmpty();
  }

  /** Sets it as is ordered now. */
  synchronized void obey() throws InterruptedException {
    KnobOrders.Order order = order();
    Optional<V> wanted =
        order.held().map(axis::parse).or(() -> file).or(() -> Optional.<V>ofNullable(decided));
    if (wanted.isPresent() && isSet(order)) {
      set(wanted.get());
    } else if (order.paused().isEmpty() && inForce != null) {
      // A value was held, and nothing has been decided of late.
      inForce = null;
      its.lease().goBack(axis, knob, before);
    }
    tell(Optional.empty());
  }

  private void tell(Optional<String> problem) {
    its.all()
        .orders()
        .inForce(
            axis.axis().name(),
            knob.target(),
            Optional.ofNullable(inForce).map(axis::text),
            problem);
  }

  /** The same; what fails is told, and to be tried again. */
  synchronized boolean tryToObey() {
    try {
      uninterrupted(this::obey);
      its.troubles().remove(knob);
      return true;
    } catch (RuntimeException e) {
      trouble(" is not as ordered: " + e.getMessage());
      tell(Optional.of(String.valueOf(e.getMessage())));
      return false;
    }
  }

  /** What stays is not read each period: see {@link KnobHolder}. */
  private void set(V to) throws InterruptedException {
    if (!to.equals(inForce)) {
      // A knob of several nodes has no value while one of them has another.
      its.verify().accept(knob);
      its.lease().set(axis, knob, before, to);
      inForce = to;
    }
  }

  @Override
  public String inForce(Decision<?> decision) {
    return order().words();
  }

  @Override
  public synchronized void act(Decision<?> decision, long nowNanos) {
    decision.value(knob.id()).ifPresent(value -> decided = value);
    uninterrupted(this::obey);
    its.troubles().remove(knob);
    until = OptionalLong.of(nowNanos + PERIODS_VALID * its.all().periodNanos());
  }

  /**
   * A node that does not answer now is no reason to put back the knobs of all: what is set stays,
   * until nothing has been decided for too long.
   */
  @Override
  public void failed(String why, Throwable cause, long nowNanos) {
    if (!(cause instanceof CalandoException)) {
      Actor.super.failed(why, cause, nowNanos);
    }
    trouble(": " + why);
  }

  private void trouble(String why) {
    String words = axis.axis() + " of " + knob.target() + why;
    if (!words.equals(its.troubles().put(knob, words))) {
      its.all().news().accept(words);
    }
  }

  @Override
  public synchronized OptionalLong validUntilNanos() {
    return until;
  }

  /** A value that is held needs no decision; what is paused goes back all the same. */
  @Override
  public synchronized void check(long nowNanos, String whyNothing) {
    if (until.isPresent() && nowNanos - until.getAsLong() >= 0) {
      until = OptionalLong.empty();
      decided = null;
      if (order().held().isEmpty()) {
        inForce = null;
        uninterrupted(() -> its.lease().goBack(axis, knob, before));
        trouble(" is as before: " + whyNothing);
        tell(Optional.empty());
      }
    }
  }

  /** Work of a lease. */
  private interface Work {
    void run() throws InterruptedException;
  }

  private static void uninterrupted(Work work) {
    try {
      work.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
