package org.calando.governor.order;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.calando.control.order.KnobOrders;

/** What operators have ordered of one cluster, and what came of it. Thread safe. */
public final class ClusterOrders implements KnobOrders {
  /** It is set in spite of an order. */
  public static final String OVERRULED = "overruled";

  private final String cluster;
  private final OrderBook book;
  private final Map<String, InForce> inForce = new ConcurrentHashMap<>();
  private final Map<String, Integer> highest = new ConcurrentHashMap<>();
  private final Map<String, OpenPlan> plans = new ConcurrentSkipListMap<>();

  /** What each knob was last looked up for, by the thread that decides on it. */
  private final Map<String, Order> looked = new ConcurrentHashMap<>();

  /** Targets of which what was decided is set in spite of that. */
  private final Map<String, Set<String>> overruled = new ConcurrentHashMap<>();

  /**
   * What is in force of a knob.
   *
   * @param value in the words of journals; empty if nothing was set, or it is as before
   * @param problem why it is not as ordered; empty if it is
   */
  public record InForce(Optional<String> value, Optional<String> problem) {}

  /** Those of a cluster. */
  public ClusterOrders(String cluster, OrderBook book) {
    this.cluster = cluster;
    this.book = book;
  }

  @Override
  public Order of(String knob) {
    Order order =
        ofKnob(knob)
            .map(
                each ->
                    each.kind() == Ordered.Kind.HOLD
                        ? new Order(Optional.empty(), Optional.of(each.value()), false)
                        : new Order(
                            Optional.of("left as it is by " + each.who()), Optional.empty(), true))
            .or(
                () ->
                    pause()
                        .map(
                            each ->
                                new Order(
                                    Optional.of("paused by " + each.who()),
                                    Optional.empty(),
                                    false)))
            .orElse(Order.NONE);
    overruled.remove(knob);
    looked.put(knob, order);
    return order;
  }

  @Override
  public void overruled(String knob, Set<String> targets) {
    overruled.put(knob, Set.copyOf(targets));
  }

  /**
   * Why what was decided of a knob just now is not set: {@code paused} or {@code held}; {@link
   * #OVERRULED} if it is in spite of that, and empty if nothing bars it. By what was looked up for
   * the decision, as orders may have changed since.
   */
  public Optional<String> barred(String knob, String target) {
    if (overruled.getOrDefault(knob, Set.of()).contains(target)) {
      return Optional.of(OVERRULED);
    }
    Order order = looked.getOrDefault(knob, Order.NONE);
    return order.held().isPresent() || order.takesBack()
        ? Optional.of("held")
        : order.paused().map(why -> "paused");
  }

  /** The same of what would be decided now. */
  public Optional<String> barredNow(String knob) {
    return ofKnob(knob).isPresent() ? Optional.of("held") : pause().map(order -> "paused");
  }

  /** The pause of the whole cluster. */
  public Optional<Ordered> pause() {
    return find(Ordered.Kind.PAUSE, "");
  }

  /** What is ordered of a knob. */
  public Optional<Ordered> ofKnob(String knob) {
    return find(Ordered.Kind.HOLD, knob).or(() -> find(Ordered.Kind.UNDO, knob));
  }

  /** What is ordered of a promise. */
  public Optional<Ordered> ofPromise(String promise) {
    return find(Ordered.Kind.PROMISE, promise);
  }

  private Optional<Ordered> find(Ordered.Kind kind, String of) {
    return all().stream().filter(each -> each.kind() == kind && each.of().equals(of)).findFirst();
  }

  /** All that is ordered. */
  public List<Ordered> all() {
    return book.of(cluster);
  }

  @Override
  public void inForce(
      String knob, String target, Optional<String> value, Optional<String> problem) {
    inForce.put(knob, new InForce(value, problem));
  }

  /** What is in force of a knob; empty if who sets it does not say. */
  public Optional<InForce> inForce(String knob) {
    return Optional.ofNullable(inForce.get(knob));
  }

  @Override
  public void highest(String knob, int value) {
    highest.put(knob, value);
  }

  /** The highest value of a knob of numbers; empty while that is not known. */
  public Optional<Integer> highest(String knob) {
    return Optional.ofNullable(highest.get(knob));
  }

  @Override
  public void plan(String knob, Optional<OpenPlan> open) {
    if (open.isPresent()) {
      plans.put(knob, open.get());
    } else {
      plans.remove(knob);
    }
  }

  /** Plans that have begun and not ended, by their knobs. */
  public Map<String, OpenPlan> plans() {
    return Map.copyOf(plans);
  }

  /** Nobody sets knobs any more. */
  public void ended(String knob) {
    inForce.remove(knob);
    plans.remove(knob);
    looked.remove(knob);
    overruled.remove(knob);
  }

  @Override
  public Hearing onChange(Runnable changed) {
    return book.onChange(changed)::run;
  }
}
