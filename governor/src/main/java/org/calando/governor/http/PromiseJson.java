package org.calando.governor.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.observe.Promised;
import org.calando.governor.ClusterState;
import org.calando.governor.OrderText;
import org.calando.governor.order.Ordered;
import org.calando.governor.promise.LevelState;
import org.calando.governor.promise.PromiseState;

/** Promises as JSON. What is not known, or bounded by nothing, is null. Stateless. */
final class PromiseJson {
  private PromiseJson() {}

  /**
   * All promises of a cluster.
   *
   * @param changeable which may have another limit than the file's
   */
  static ObjectNode node(ClusterState.Promises promises, Predicate<Promised> changeable) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.set("measuring", StateJson.part(promises.part()));
    ArrayNode states = node.putArray("states");
    promises
        .states()
        .forEach(
            state ->
                states.add(
                    node(state, Optional.ofNullable(promises.changed().get(state.promise().word())))
                        .put("can_change", changeable.test(state.promise()))));
    ArrayNode levels = node.putArray("reads_at");
    promises.levels().forEach(level -> levels.add(node(level)));
    return node;
  }

  /** What another level of reads would save nothing predicts without a calibration. */
  private static ObjectNode node(LevelState level) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("level", level.reads().name());
    node.put("stale_low", level.figure().low()).put("stale_high", level.figure().high());
    return node.put("kept", level.kept().orElse(null)).putNull("saves_w");
  }

  private static ObjectNode node(PromiseState state, Optional<Ordered> changed) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    Optional<PromiseFigure> figure = state.figure();
    node.put("promise", state.promise().word()).put("unit", state.promise().unit());
    node.put("limit", state.limit()).put("file_limit", state.fileLimit());
    node.set("changed", changed.map(OrderText::node).orElse(null));
    node.put("source", figure.map(PromiseFigure::source).orElse(state.source()));
    node.put("provenance", figure.map(known -> StateJson.lower(known.kind())).orElse(null));
    StateJson.put(node, "low", bounded(figure.map(PromiseFigure::low)));
    StateJson.put(node, "high", bounded(figure.map(PromiseFigure::high)));
    node.put("kept", state.kept().orElse(null));
    PromiseState.Account account = state.account();
    node.put("window_s", account.windowSeconds());
    node.put("kept_s", account.keptSeconds()).put("broken_s", account.brokenSeconds());
    node.put("unknown_s", account.unknownSeconds()).put("unknown_share", account.unknownShare());
    StateJson.put(node, "budget_spent_low", bounded(account.spentLow()));
    StateJson.put(node, "budget_spent_high", bounded(account.spentHigh()));
    if (state.promise() == Promised.STALE) {
      // Of reads, the share that is as fresh as strong ones.
      StateJson.put(node, "as_strong_low", bounded(figure.map(known -> 1 - known.high())));
      StateJson.put(node, "as_strong_high", bounded(figure.map(known -> 1 - known.low())));
    }
    return node;
  }

  private static OptionalDouble bounded(OptionalDouble end) {
    return end.isPresent() && Double.isInfinite(end.getAsDouble()) ? OptionalDouble.empty() : end;
  }

  private static OptionalDouble bounded(Optional<Double> end) {
    return end.filter(Double::isFinite).map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
  }
}
