package org.calando.governor.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.calando.core.energy.EnergyPricing;
import org.calando.core.energy.Provenance;
import org.calando.governor.ClusterFigures;
import org.calando.governor.NodePlace;
import org.calando.governor.Saving;
import org.calando.power.MeterInfo;

/** Figures of a cluster as JSON. What is not known is null. Stateless. */
final class FiguresJson {
  private FiguresJson() {}

  /** All figures of a cluster. */
  static ObjectNode node(ClusterFigures figures, EnergyPricing pricing) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.set("meter", figures.meter().map(FiguresJson::meter).orElse(null));
    node.put("no_meter", figures.meter().isPresent() ? null : figures.whyNoMeter());
    node.put("accounted_s", figures.accounted()).put("unknown_s", figures.unknown());
    // Of no time they would be 0.
    boolean known = figures.accounted() > 0;
    node.put("joules", known ? figures.joules() : null);
    node.put("requests", known ? figures.requests() : null);
    StateJson.put(node, "mean_joules_per_kop", figures.perKop());
    StateJson.put(node, "last_joules_per_kop", figures.lastPerKop());
    StateJson.put(node, "power_w", figures.watts());
    ArrayNode nodes = node.putArray("nodes");
    figures.nodes().forEach(each -> nodes.add(node(each)));
    node.set("saving", figures.saving().map(saving -> saving(saving, pricing)).orElse(null));
    return node;
  }

  private static ObjectNode node(ClusterFigures.Node each) {
    ObjectNode one = JsonNodeFactory.instance.objectNode().put("name", each.name());
    StateJson.put(one, "power_w", each.watts());
    StateJson.put(one, "joules", each.joules());
    one.put("unknown_s", each.unknownSeconds());
    StateJson.put(one, "reads_per_s", each.readsPerSecond());
    StateJson.put(one, "writes_per_s", each.writesPerSecond());
    one.put("reads", each.reads().isPresent() ? each.reads().getAsLong() : null);
    one.put("writes", each.writes().isPresent() ? each.writes().getAsLong() : null);
    NodePlace place = each.place();
    one.put("rack", place.rack().orElse(null));
    one.put("data_center", place.dataCenter().orElse(null));
    one.put("state", StateJson.lower(place.presence()));
    return one.put("role", place.role().orElse(null));
  }

  private static ObjectNode meter(MeterInfo meter) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("id", meter.id())
        .put("provenance", StateJson.lower(meter.provenance()))
        .put("scope", StateJson.lower(meter.scope()))
        .put("resolution", meter.resolution());
  }

  private static ObjectNode saving(Saving saving, EnergyPricing pricing) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("provenance", StateJson.lower(Provenance.MODELLED));
    StateJson.put(node, "power_low_w", saving.lowWatts());
    StateJson.put(node, "power_high_w", saving.highWatts());
    ObjectNode today = node.putObject("today").put("since", saving.since().toString());
    today.put("known_s", saving.knownSeconds()).put("unknown_s", saving.unknownSeconds());
    boolean known = saving.knownSeconds() > 0;
    put(today, "joules_low", known, saving.lowJoules());
    put(today, "joules_high", known, saving.highJoules());
    put(today, "cost_low", known, pricing.cost(saving.lowJoules()));
    put(today, "cost_high", known, pricing.cost(saving.highJoules()));
    today.put(
        "currency", Optional.of(pricing.currency()).filter(code -> !code.isEmpty()).orElse(null));
    put(today, "co2e_low_g", known, pricing.co2eGrams(saving.lowJoules()));
    put(today, "co2e_high_g", known, pricing.co2eGrams(saving.highJoules()));
    return node;
  }

  private static void put(ObjectNode node, String name, boolean known, double value) {
    if (known && Double.isFinite(value)) {
      node.put(name, value);
    } else {
      node.putNull(name);
    }
  }
}
