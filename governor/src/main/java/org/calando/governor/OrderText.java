package org.calando.governor;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.calando.governor.order.Ordered;

/** Orders as JSON. Stateless. */
public final class OrderText {
  private OrderText() {}

  /** Since when, until when, by whom and why. */
  public static ObjectNode node(Ordered order) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("since", order.begun().toString())
        .put("until", order.end().map(Instant::toString).orElse(null))
        .put("who", order.who())
        .put("reason", order.reason());
  }

  /** The same of a knob, with its value; null where it stays as it is. */
  public static ObjectNode held(Ordered order) {
    return node(order).put("value", order.kind() == Ordered.Kind.HOLD ? order.value() : null);
  }
}
