package org.calando.control.order;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.calando.control.order.KnobOrders.Order;
import org.calando.core.CalandoException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;

/** What an operator orders of a gear, and what is told of it. Thread safe. */
public final class GearOrders {
  private static final String GEAR = KnobId.GEAR.name();

  private final KnobOrders orders;

  /** Those of a cluster. */
  public GearOrders(KnobOrders orders) {
    this.orders = orders;
  }

  /** What is ordered now. */
  public Order now() {
    return orders.of(GEAR);
  }

  /**
   * What is ordered where a policy has decided: nothing where nodes do not serve and it goes up for
   * that, as what the store lacks goes before what an operator wants.
   *
   * @param from the gear
   * @param decided the gear that was decided
   * @param failed how many nodes that are to be on do not serve
   */
  public Order binding(int from, int decided, int failed) {
    Order order = now();
    int ordered = wanted(order, from, decided, Integer.MAX_VALUE);
    return failed > 0 && decided > Math.max(from, ordered) ? Order.NONE : order;
  }

  /**
   * What is ordered, in words for journals, where a policy has decided, and tells if that does not
   * bind; empty if nothing is ordered.
   *
   * @param from the gear
   * @param failed as of {@link #binding}
   */
  public String words(int from, Decision<?> decision, int failed) {
    Order order = now();
    int decided = decision.value(KnobId.GEAR).orElse(from);
    if (!order.isBarred() || binding(from, decided, failed).isBarred()) {
      return order.words();
    }
    orders.overruled(
        GEAR,
        decision.step().settings().stream()
            .filter(setting -> setting.knob().equals(KnobId.GEAR))
            .map(Setting::target)
            .collect(Collectors.toSet()));
    return "in spite of: " + order.words();
  }

  /** The gear that it is to be in. */
  public static int wanted(Order order, int from, int decided, int highest) {
    return order
        .held()
        .map(value -> Math.min(Integer.parseInt(value), highest))
        .orElse(order.paused().isPresent() ? from : decided);
  }

  /** Tells the gear, and that there is no plan, where there is none. */
  public void told(IntSupplier gear, Supplier<Optional<String>> unfinished) {
    try {
      String now = String.valueOf(gear.getAsInt());
      orders.inForce(GEAR, "", Optional.of(now), Optional.empty());
      if (unfinished.get().isEmpty()) {
        orders.plan(GEAR, Optional.empty());
      }
    } catch (CalandoException e) {
      // Whoever looks is told why.
    }
  }

  /** The plan that is open; empty also where that cannot be told now: whoever looks is told why. */
  public static Optional<String> open(Supplier<Optional<String>> unfinished) {
    try {
      return unfinished.get();
    } catch (CalandoException e) {
      return Optional.empty();
    }
  }

  /** As {@link KnobOrders#onChange}. */
  public KnobOrders.Hearing onChange(Runnable changed) {
    return orders.onChange(changed);
  }

  /** Tells up to which gear it can be held. */
  public void highest(int gear) {
    orders.highest(GEAR, gear);
  }

  /**
   * Tells a plan that has begun.
   *
   * @param canUndo is asked each time: a shift has no plan at first; of any thread
   */
  public void plan(String what, boolean isUnderWay, BooleanSupplier canUndo, boolean isUndoing) {
    orders.plan(
        GEAR,
        Optional.of(
            new KnobOrders.OpenPlan(what.strip(), isUnderWay, () -> may(canUndo), isUndoing)));
  }

  private static boolean may(BooleanSupplier canUndo) {
    try {
      return canUndo.getAsBoolean();
    } catch (CalandoException e) {
      // Its journal cannot be read: whoever looks is told why.
      return false;
    }
  }
}
