package org.calando.governor;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.calando.core.observe.Promised;
import org.calando.governor.order.ClusterOrders;
import org.calando.governor.order.Ordered;
import org.calando.governor.order.RefusedOrderException;
import org.calando.governor.order.RefusedOrderException.Why;
import org.calando.knob.GearSchema;
import org.calando.knob.KnobAxis;
import org.calando.knob.ManagedClocksSchema;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Tree;
import org.calando.schema.Types;
import org.calando.schema.Where;
import org.calando.study.KnobHolder;
import org.calando.studyfile.ServiceSpec;

/** What of a cluster operators may order. Stateless. */
final class OrderLimits {
  private static final long MOST_NANOS = 24 * 3_600_000_000_000L;

  private OrderLimits() {}

  /** A knob that is controlled. */
  static void requireControlled(ServiceSpec.Cluster spec, String knob) {
    if (spec.control().axes().stream().noneMatch(axis -> axis.name().equals(knob))) {
      throw new RefusedOrderException(
          Why.NO_SUCH,
          "the knob " + knob + " of " + spec.name() + " is not controlled",
          "name one of its control: "
              + spec.control().axes().stream().map(axis -> axis.name()).sorted().toList());
    }
  }

  /** Whether a knob that is controlled has one value that it may be held at. */
  static boolean canHold(ServiceSpec.Cluster spec, String knob) {
    return !knob.equals(ManagedClocksSchema.AXIS.name())
        && (knob.equals(GearSchema.AXIS.name())
            || KnobHolder.of(spec.control()).stream()
                .anyMatch(each -> each.axis().name().equals(knob)));
  }

  /** Whether a promise may have another limit than the file's. */
  static boolean canChange(ServiceSpec.Cluster spec, Promised promise) {
    boolean ofGears = promise == Promised.COPIES || promise == Promised.SURVIVE;
    return !ofGears || spec.gears().isEmpty();
  }

  /**
   * Why an order that was legal once is not any more, as the file was changed since: it says less
   * than the file does, or of what the file has no more. Empty if it is.
   */
  static Optional<String> unfit(ServiceSpec.Cluster spec, Ordered order) {
    try {
      switch (order.kind()) {
        case PAUSE -> {}
        case UNDO -> requireControlled(spec, order.of());
        case HOLD -> requireHeld(spec, order);
        case PROMISE ->
            requireAsStrict(
                spec,
                promised(spec, order.of()),
                Double.parseDouble(order.value()),
                words(Double.parseDouble(order.value())));
      }
      return Optional.empty();
    } catch (RefusedOrderException e) {
      return Optional.of(e.problem());
    }
  }

  /** The limit that is ordered of a promise, as far as the file allows it. */
  static Optional<Double> ordered(
      ServiceSpec.Cluster spec, ClusterOrders orders, Promised promise) {
    return orders
        .ofPromise(promise.word())
        .filter(order -> unfit(spec, order).isEmpty())
        .map(order -> Double.valueOf(order.value()));
  }

  /** Of gears there may be fewer now: it is held at the highest then. */
  private static void requireHeld(ServiceSpec.Cluster spec, Ordered order) {
    requireControlled(spec, order.of());
    if (!order.of().equals(GearSchema.AXIS.name())) {
      var unused = text(axis(spec, order.of()), order.value());
    }
  }

  /**
   * A value that a knob may be held at, in the words of journals.
   *
   * @throws RefusedOrderException if it may not be
   */
  static String value(
      ServiceSpec.Cluster spec, ClusterOrders orders, String knob, Optional<String> value) {
    requireControlled(spec, knob);
    String text =
        value.orElseThrow(
            () ->
                new RefusedOrderException(
                    Why.WRONG, "it says no value", "write value, such as \"value\": 4"));
    if (knob.equals(ManagedClocksSchema.AXIS.name())) {
      throw new RefusedOrderException(
          Why.NOT_LEGAL,
          "clocks have no one value: each node's is set by its role",
          "pause the cluster: then no clock is lowered");
    }
    if (knob.equals(GearSchema.AXIS.name())) {
      return gear(orders, text);
    }
    return text(axis(spec, knob), text);
  }

  private static KnobAxis<?> axis(ServiceSpec.Cluster spec, String knob) {
    return KnobHolder.of(spec.control()).stream()
        .filter(each -> each.axis().name().equals(knob))
        .findFirst()
        .orElseThrow(
            () ->
                new RefusedOrderException(
                    Why.NOT_LEGAL,
                    "the knob " + knob + " cannot be held",
                    "write a value in the file, and have it read again"));
  }

  private static <V> String text(KnobAxis<V> axis, String text) {
    try {
      return axis.text(axis.parse(text));
    } catch (IllegalArgumentException e) {
      throw new RefusedOrderException(
          Why.NOT_LEGAL,
          axis.axis() + " cannot be " + text,
          "write " + axis.type().values().range());
    }
  }

  private static String gear(ClusterOrders orders, String text) {
    int highest =
        orders
            .highest(GearSchema.AXIS.name())
            .orElseThrow(
                () ->
                    new RefusedOrderException(
                        Why.NOT_NOW,
                        "its gears are not known now",
                        "see the cluster's control, and ask again"));
    if (!text.matches("[1-9]\\d{0,5}") || Integer.parseInt(text) > highest) {
      throw new RefusedOrderException(
          Why.NOT_LEGAL, "there is no gear " + text, "write 1 to " + highest);
    }
    return text;
  }

  /**
   * A limit of a promise, in its unit: one that is as strict as the file's, or stricter.
   *
   * @param given a number in that unit, or as files write it; empty for the file's
   * @throws RefusedOrderException if there is no such promise, or the limit is weaker
   */
  static OptionalDouble limit(ServiceSpec.Cluster spec, String word, Optional<String> given) {
    Promised promise = promised(spec, word);
    requireOfNoGears(spec, promise);
    if (given.isEmpty()) {
      return OptionalDouble.empty();
    }
    double limit = limit(promise, given.get());
    requireAsStrict(spec, promise, limit, given.get());
    return OptionalDouble.of(limit);
  }

  private static void requireOfNoGears(ServiceSpec.Cluster spec, Promised promise) {
    if (!canChange(spec, promise)) {
      throw new RefusedOrderException(
          Why.NOT_LEGAL,
          "the gears that may be shifted to were chosen by " + promise.word() + " of the file",
          "change it in the file, and have it read again by SIGHUP");
    }
  }

  private static void requireAsStrict(
      ServiceSpec.Cluster spec, Promised promise, double limit, String given) {
    requireOfNoGears(spec, promise);
    double file = ofFile(spec, promise.word());
    if (!promise.isAsStrict(limit, file)) {
      throw new RefusedOrderException(
          Why.NOT_LEGAL,
          String.format(
              Locale.ROOT,
              "%s %s is weaker than the file's %s",
              promise.word(),
              given,
              words(file)),
          "write " + words(file) + " or a stricter one, in " + promise.unit());
    }
  }

  private static Promised promised(ServiceSpec.Cluster spec, String word) {
    Set<Promised> all = spec.promise().limits().keySet();
    return all.stream()
        .filter(each -> each.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new RefusedOrderException(
                    Why.NO_SUCH,
                    "the file of " + spec.name() + " promises no " + word,
                    "name one of " + all.stream().map(Promised::word).toList()));
  }

  /**
   * The limit of a promise in the file.
   *
   * @throws RefusedOrderException if there is no such promise
   */
  static double ofFile(ServiceSpec.Cluster spec, String word) {
    return spec.promise().limits().getOrDefault(promised(spec, word), Double.NaN);
  }

  private static String words(double limit) {
    return limit == Math.rint(limit) ? String.valueOf((long) limit) : String.valueOf(limit);
  }

  private static double limit(Promised promise, String text) {
    try {
      if (text.matches("\\d{1,9}(\\.\\d{1,12})?")) {
        return Double.parseDouble(text);
      }
      return switch (promise) {
        case STALE -> parse(Types.share(), text);
        case FRESH, READ_P99 -> parse(Types.duration(1, MOST_NANOS), text) / 1e9;
        case COPIES, SURVIVE -> throw notALimit(promise, text);
      };
    } catch (Refusal e) {
      throw notALimit(promise, text);
    }
  }

  private static <V> V parse(ScalarType<V> type, String text) throws Refusal {
    return type.parse(new Tree.Scalar(Where.argument(text), text, false));
  }

  private static RefusedOrderException notALimit(Promised promise, String text) {
    return new RefusedOrderException(
        Why.NOT_LEGAL,
        text + " is no limit of " + promise.word(),
        "write a number in " + promise.unit() + ", or a limit as the file has it");
  }
}
