package org.calando.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Observation.Costs;
import org.calando.core.policy.Observation.Lags;
import org.calando.core.policy.Observation.Missed;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.policy.Observation.Rates;
import org.calando.core.policy.Observation.Shadow;
import org.calando.core.policy.Observation.Truth;
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
/**
 * Writes observations, one after the other, as compact JSON, or reads them in that order: one
 * object does one of the two. Not thread safe.
 */
final class ObservationText {
  private static final int VERSION = 1;
  private static final String SAME = "same";

  /** Names of components in the text, where they are others. */
  private static final Map<String, String> NAMES =
      Map.of(
          "atNanos", "at",
          "readsPerSecond", "reads",
          "writesPerSecond", "writes",
          "meanWriteBytes", "bytes");

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .propertyNamingStrategy(
              new PropertyNamingStrategies.NamingBase() {
                @Override
                public String translate(String component) {
                  return NAMES.getOrDefault(component, component);
                }
              })
          .build();

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
    put(node, "rates", o.rates());
    put(node, "lags", o.lags().map(this::lags));
    put(node, "popularity", o.popularity().map(this::popularity));
    put(node, "truth", o.truth());
    put(node, "shadow", o.shadow());
    put(node, "missed", o.missed());
    put(node, "costs", o.costs());
    return node.toString();
  }

  private static void put(ObjectNode node, String name, Optional<?> part) {
    part.ifPresent(value -> node.set(name, JSON.valueToTree(value)));
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
    node.set("writes", JSON.valueToTree(rows(sample, from).toArray(double[][]::new)));
    return node;
  }

  private static Stream<double[]> rows(PropagationLags sample, int from) {
    return IntStream.range(from, sample.samples()).mapToObj(sample::row);
  }

  /**
   * How many of the first writes of one sample are to go so that the other begins with the rest.
   */
  private static int slid(PropagationLags from, PropagationLags to) {
    int without = Math.max(0, from.samples() - to.samples());
    while (!beginsWith(to, from, without)) {
      without++;
    }
    return without;
  }

  /** To the bit, and NaN is NaN. */
  private static boolean beginsWith(PropagationLags sample, PropagationLags other, int otherFrom) {
    return IntStream.range(otherFrom, other.samples())
        .allMatch(i -> Arrays.equals(sample.row(i - otherFrom), other.row(i)));
  }

  private JsonNode popularity(Popularity popularity) {
    Popularity last = lastPopularity;
    lastPopularity = popularity;
    ObjectNode node = JSON.createObjectNode().put("at", popularity.atNanos());
    if (popularity.unseenWrites() > 0) {
      node.put("unseen", popularity.unseenWrites());
    }
    double[][] columns = columns(popularity.byKey());
    if (last != null && Arrays.deepEquals(columns(last.byKey()), columns)) {
      boolean same =
          last.atNanos() == popularity.atNanos()
              && last.unseenWrites() == popularity.unseenWrites();
      return same ? TextNode.valueOf(SAME) : node;
    }
    node.set("keys", JSON.valueToTree(columns[0]));
    node.set("reads", JSON.valueToTree(columns[1]));
    node.set("writes_per_key", JSON.valueToTree(columns[2]));
    return node;
  }

  private static double[][] columns(KeyPopularity byKey) {
    return Stream.<IntToDoubleFunction>of(byKey::keys, byKey::reads, byKey::writesPerKey)
        .map(of -> IntStream.range(0, byKey.bins()).mapToDouble(of).toArray())
        .toArray(double[][]::new);
  }

  /**
   * The next observation.
   *
   * @throws IllegalArgumentException if the text is none, or of another version
   */
  Observation read(String text) {
    try {
      JsonNode node = JSON.readTree(text);
      if (node.path("v").asInt() != VERSION) {
        throw new IllegalArgumentException(
            "an observation of version " + node.path("v") + ", not " + VERSION);
      }
      return new Observation(
          whole(node, "at"),
          node.required("target").asText(),
          count(node, "n"),
          count(node, "w"),
          count(node, "live"),
          node.has("off") ? count(node, "off") : 0,
          part(node, "rates", Rates.class),
          node.has("lags") ? Optional.of(lags(node.get("lags"))) : Optional.empty(),
          node.has("popularity")
              ? Optional.of(popularity(node.get("popularity")))
              : Optional.empty(),
          part(node, "truth", Truth.class),
          part(node, "shadow", Shadow.class),
          part(node, "missed", Missed.class),
          part(node, "costs", Costs.class),
          node.path("strained").asBoolean());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not an observation: " + e.getOriginalMessage(), e);
    }
  }

  private static <T> Optional<T> part(JsonNode node, String name, Class<T> type)
      throws JsonProcessingException {
    return node.has(name) ? Optional.of(JSON.treeToValue(node.get(name), type)) : Optional.empty();
  }

  private Lags lags(JsonNode node) throws JsonProcessingException {
    if (isSame(node)) {
      return known(lastLags, "lags");
    }
    Stream<double[]> kept =
        node.has("without")
            ? rows(known(lastLags, "lags").sample(), count(node, "without"))
            : Stream.empty();
    double[][] writes = JSON.treeToValue(node.required("writes"), double[][].class);
    Lags lags =
        new Lags(
            whole(node, "at"),
            PropagationLags.of(
                count(node, "n"),
                Stream.concat(kept, Arrays.stream(writes)).toArray(double[][]::new)));
    lastLags = lags;
    return lags;
  }

  private Popularity popularity(JsonNode node) throws JsonProcessingException {
    if (isSame(node)) {
      return known(lastPopularity, "popularity");
    }
    KeyPopularity byKey =
        node.has("reads")
            ? KeyPopularity.ofBins(
                numbers(node, "keys"), numbers(node, "reads"), numbers(node, "writes_per_key"))
            : known(lastPopularity, "popularity").byKey();
    double unseen = node.has("unseen") ? JSON.treeToValue(node.get("unseen"), double.class) : 0;
    Popularity popularity = new Popularity(whole(node, "at"), byKey, unseen);
    lastPopularity = popularity;
    return popularity;
  }

  private static boolean isSame(JsonNode node) {
    return node.isTextual() && node.textValue().equals(SAME);
  }

  private static <T> T known(@Nullable T last, String what) {
    if (last == null) {
      throw new IllegalArgumentException("the same " + what + " as before, but there are none");
    }
    return last;
  }

  private static int count(JsonNode node, String name) throws JsonProcessingException {
    return JSON.treeToValue(node.required(name), int.class);
  }

  private static long whole(JsonNode node, String name) throws JsonProcessingException {
    return JSON.treeToValue(node.required(name), long.class);
  }

  private static double[] numbers(JsonNode node, String name) throws JsonProcessingException {
    return JSON.treeToValue(node.required(name), double[].class);
  }
}
