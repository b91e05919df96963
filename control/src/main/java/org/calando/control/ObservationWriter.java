package org.calando.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Observation.Lags;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;
import org.jspecify.annotations.Nullable;

/*
 * {"v":1,"at":..,"target":"..","n":3,"w":1,"live":3,
 *  "rates":{"at":..,"reads":..,"writes":..,"bytes":..},
 *  "lags":{"at":..,"n":3,"writes":[[N lags, N-1 of reads, how long the acknowledgement took],..]},
 *  "off":1,"strained":true,
 *  "popularity":{"at":..,"unseen":0.2,"keys":[..],"reads":[..],"writes_per_key":[..]},
 *  "truth":{"at":..,"reads":..,"stale":..,"predicted":..},
 *  "shadow":{"at":..,"reads":..,"stale":..,"bound":..,"predicted":..},
 *  "costs":{"at":..,"relative":[..]}}
 *
 * Earlier versions wrote less of a write: N lags, or those and N-1 of reads. PropagationLags takes
 * all three.
 *
 * What was never told is left out. Doubles are written so that reading gives them to the bit; those
 * that JSON does not have are the texts "NaN" and "Infinity".
 *
 * Lags and popularity are long, and change little from one observation to the next. "same" is what
 * was last written. Lags with "without" are the last written ones less their first so many writes,
 * and then the writes here: a window that slid. A popularity without bins has those last written.
 */
/** Writes observations, one after the other, as compact JSON. Not thread safe. */
final class ObservationWriter {
  static final int VERSION = 1;
  static final String SAME = "same";

  private static final ObjectMapper JSON = new ObjectMapper();

  private @Nullable Lags lastLags;
  private @Nullable Popularity lastPopularity;

  String write(Observation o) {
    ObjectNode node =
        JSON.createObjectNode()
            .put("v", VERSION)
            .put("at", o.atNanos())
            .put("target", o.target())
            .put("n", o.replicas())
            .put("w", o.writeReplicas())
            .put("live", o.liveReplicas());
    if (o.offReplicas() > 0) {
      node.put("off", o.offReplicas());
    }
    if (o.strained()) {
      node.put("strained", true);
    }
    o.rates()
        .ifPresent(
            rates ->
                node.putObject("rates")
                    .put("at", rates.atNanos())
                    .put("reads", rates.readsPerSecond())
                    .put("writes", rates.writesPerSecond())
                    .put("bytes", rates.meanWriteBytes()));
    o.lags().ifPresent(lags -> node.set("lags", lags(lags)));
    o.popularity().ifPresent(popularity -> node.set("popularity", popularity(popularity)));
    o.truth()
        .ifPresent(
            truth ->
                node.putObject("truth")
                    .put("at", truth.atNanos())
                    .put("reads", truth.reads())
                    .put("stale", truth.stale())
                    .put("predicted", truth.predicted()));
    o.shadow()
        .ifPresent(
            shadow ->
                node.putObject("shadow")
                    .put("at", shadow.atNanos())
                    .put("reads", shadow.reads())
                    .put("stale", shadow.stale())
                    .put("bound", shadow.bound())
                    .put("predicted", shadow.predicted()));
    o.missed()
        .ifPresent(
            missed ->
                node.putObject("missed")
                    .put("at", missed.atNanos())
                    .put("reads", missed.reads())
                    .put("missed", missed.missed()));
    o.costs()
        .ifPresent(
            costs ->
                fill(
                    node.putObject("costs").put("at", costs.atNanos()).putArray("relative"),
                    costs.relative().size(),
                    i -> costs.relative().get(i)));
    return node.toString();
  }

  private JsonNode lags(Lags lags) {
    Lags last = lastLags;
    lastLags = lags;
    PropagationLags sample = lags.sample();
    ObjectNode node = JSON.createObjectNode().put("at", lags.atNanos()).put("n", sample.replicas());
    int from = 0;
    if (last != null && last.sample().replicas() == sample.replicas()) {
      int without = slid(last.sample(), sample);
      int kept = last.sample().samples() - without;
      if (without == 0 && kept == sample.samples() && last.atNanos() == lags.atNanos()) {
        return TextNode.valueOf(SAME);
      }
      if (kept > 0) {
        node.put("without", without);
        from = kept;
      }
    }
    ArrayNode writes = node.putArray("writes");
    for (int i = from; i < sample.samples(); i++) {
      double[] row = sample.row(i);
      fill(writes.addArray(), row.length, at -> row[at]);
    }
    return node;
  }

  /**
   * How many of the first writes of one sample are to go so that the other begins with the rest.
   */
  private static int slid(PropagationLags from, PropagationLags to) {
    int without = 0;
    while (!beginsWith(to, from, without)) {
      without++;
    }
    return without;
  }

  private static boolean beginsWith(PropagationLags sample, PropagationLags other, int otherFrom) {
    int length = other.samples() - otherFrom;
    if (length > sample.samples()) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      // To the bit, and NaN is NaN.
      if (!Arrays.equals(sample.row(i), other.row(otherFrom + i))) {
        return false;
      }
    }
    return true;
  }

  private JsonNode popularity(Popularity popularity) {
    Popularity last = lastPopularity;
    lastPopularity = popularity;
    KeyPopularity byKey = popularity.byKey();
    ObjectNode node = JSON.createObjectNode().put("at", popularity.atNanos());
    if (popularity.unseenWrites() > 0) {
      node.put("unseen", popularity.unseenWrites());
    }
    if (last != null && isSame(last.byKey(), byKey)) {
      boolean same =
          last.atNanos() == popularity.atNanos()
              && last.unseenWrites() == popularity.unseenWrites();
      return same ? TextNode.valueOf(SAME) : node;
    }
    fill(node.putArray("keys"), byKey.bins(), byKey::keys);
    fill(node.putArray("reads"), byKey.bins(), byKey::reads);
    fill(node.putArray("writes_per_key"), byKey.bins(), byKey::writesPerKey);
    return node;
  }

  private static boolean isSame(KeyPopularity one, KeyPopularity other) {
    return one == other
        || (one.bins() == other.bins()
            && isSame(one.bins(), one::keys, other::keys)
            && isSame(one.bins(), one::reads, other::reads)
            && isSame(one.bins(), one::writesPerKey, other::writesPerKey));
  }

  private static boolean isSame(int count, IntToDoubleFunction one, IntToDoubleFunction other) {
    for (int i = 0; i < count; i++) {
      if (Double.compare(one.applyAsDouble(i), other.applyAsDouble(i)) != 0) {
        return false;
      }
    }
    return true;
  }

  private static void fill(ArrayNode array, int count, IntToDoubleFunction values) {
    for (int i = 0; i < count; i++) {
      array.add(values.applyAsDouble(i));
    }
  }
}
