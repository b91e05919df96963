package org.calando.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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

/** Reads what an {@link ObservationWriter} wrote, in that order. Not thread safe. */
final class ObservationReader {
  private static final ObjectMapper JSON = new ObjectMapper();

  private @Nullable Lags lastLags;
  private @Nullable Popularity lastPopularity;

  /**
   * The next observation.
   *
   * @throws IllegalArgumentException if the text is none, or of another version
   */
  Observation read(String text) {
    JsonNode node;
    try {
      node = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    }
    if (node.path("v").asInt() != ObservationWriter.VERSION) {
      throw new IllegalArgumentException(
          "an observation of version " + node.path("v") + ", not " + ObservationWriter.VERSION);
    }
    return new Observation(
        whole(node, "at"),
        node.required("target").asText(),
        count(node, "n"),
        count(node, "w"),
        count(node, "live"),
        node.has("off") ? count(node, "off") : 0,
        part(node, "rates", ObservationReader::rates),
        part(node, "lags", this::lags),
        part(node, "popularity", this::popularity),
        part(node, "truth", ObservationReader::truth),
        part(node, "shadow", ObservationReader::shadow),
        part(node, "missed", ObservationReader::missed),
        part(node, "costs", ObservationReader::costs),
        node.path("strained").asBoolean());
  }

  private static <T> Optional<T> part(JsonNode node, String name, Function<JsonNode, T> read) {
    return node.has(name) ? Optional.of(read.apply(node.get(name))) : Optional.empty();
  }

  private static Rates rates(JsonNode node) {
    return new Rates(
        whole(node, "at"),
        number(node.required("reads")),
        number(node.required("writes")),
        number(node.required("bytes")));
  }

  private Lags lags(JsonNode node) {
    Lags last = lastLags;
    if (isSame(node)) {
      return known(last, "lags");
    }
    int replicas = count(node, "n");
    List<double[]> writes = new ArrayList<>();
    if (node.has("without")) {
      PropagationLags sample = known(last, "lags").sample();
      for (int i = count(node, "without"); i < sample.samples(); i++) {
        writes.add(sample.row(i));
      }
    }
    node.required("writes").forEach(write -> writes.add(numbers(write)));
    Lags lags =
        new Lags(whole(node, "at"), PropagationLags.of(replicas, writes.toArray(double[][]::new)));
    lastLags = lags;
    return lags;
  }

  private Popularity popularity(JsonNode node) {
    Popularity last = lastPopularity;
    if (isSame(node)) {
      return known(last, "popularity");
    }
    KeyPopularity byKey =
        node.has("reads")
            ? KeyPopularity.ofBins(
                numbers(node.required("keys")),
                numbers(node.required("reads")),
                numbers(node.required("writes_per_key")))
            : known(last, "popularity").byKey();
    double unseen = node.has("unseen") ? number(node.get("unseen")) : 0;
    Popularity popularity = new Popularity(whole(node, "at"), byKey, unseen);
    lastPopularity = popularity;
    return popularity;
  }

  private static Truth truth(JsonNode node) {
    return new Truth(
        whole(node, "at"),
        whole(node, "reads"),
        whole(node, "stale"),
        number(node.required("predicted")));
  }

  private static Shadow shadow(JsonNode node) {
    return new Shadow(
        whole(node, "at"),
        number(node.required("reads")),
        number(node.required("stale")),
        number(node.required("bound")),
        number(node.required("predicted")));
  }

  private static Missed missed(JsonNode node) {
    return new Missed(whole(node, "at"), whole(node, "reads"), whole(node, "missed"));
  }

  private static Costs costs(JsonNode node) {
    return new Costs(
        whole(node, "at"), Arrays.stream(numbers(node.required("relative"))).boxed().toList());
  }

  private static boolean isSame(JsonNode node) {
    return node.isTextual() && node.textValue().equals(ObservationWriter.SAME);
  }

  private static <T> T known(@Nullable T last, String what) {
    if (last == null) {
      throw new IllegalArgumentException("the same " + what + " as before, but there are none");
    }
    return last;
  }

  private static int count(JsonNode node, String name) {
    return Math.toIntExact(whole(node, name));
  }

  private static long whole(JsonNode node, String name) {
    JsonNode value = node.required(name);
    if (!value.canConvertToLong() || !value.isIntegralNumber()) {
      throw new IllegalArgumentException(name + " of " + value);
    }
    return value.longValue();
  }

  private static double[] numbers(JsonNode array) {
    double[] numbers = new double[array.size()];
    Arrays.setAll(numbers, i -> number(array.get(i)));
    return numbers;
  }

  private static double number(JsonNode node) {
    if (node.isNumber()) {
      return node.doubleValue();
    }
    if (!node.isTextual()) {
      throw new IllegalArgumentException("a number of " + node);
    }
    return Double.parseDouble(node.textValue());
  }
}
