package org.calando.core.layout;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/*
 * The order of the moves stands beside the tokens that they lead to: a later version of Calando that
 * goes on with a plan may think of another order, and must keep to the one that was begun.
 */
/**
 * The tokens of a cluster's nodes, one each, and how they are to get there. Immutable.
 *
 * @param label the layout that it is, for people; empty where that is not known
 * @param tokens by the node's host id
 * @param order host ids of the nodes that move, the first first; empty for tokens as they are
 * @param cleanup whether nodes are to drop afterwards what they no longer own
 */
public record RingTokens(
    String label, Map<String, BigInteger> tokens, List<String> order, boolean cleanup) {
  private static final String FIELDS = ";";
  private static final String ITEMS = ",";
  private static final String CLEANUP = "cleanup";
  private static final String NONE = "none";

  /**
   * Copies the collections.
   *
   * @throws IllegalArgumentException if a node that is to move has no token
   */
  public RingTokens {
    tokens = Collections.unmodifiableMap(new TreeMap<>(tokens));
    order = List.copyOf(order);
    if (!tokens.keySet().containsAll(order)) {
      throw new IllegalArgumentException("no token for one of " + order);
    }
  }

  /** Tokens as they are. */
  public static RingTokens now(Map<String, BigInteger> tokens) {
    return new RingTokens("", tokens, List.of(), false);
  }

  /** In words that {@link #parse} reads. */
  public String text() {
    return String.join(
        FIELDS,
        label.isEmpty() ? NONE : label,
        cleanup ? CLEANUP : NONE,
        order.isEmpty() ? NONE : String.join(ITEMS, order),
        tokens.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining(ITEMS)));
  }

  /**
   * Reads the {@link #text}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static RingTokens parse(String text) {
    List<String> fields = split(text, FIELDS);
    if (fields.size() != 4) {
      throw new IllegalArgumentException("no tokens of a ring: " + text);
    }
    Map<String, BigInteger> tokens = new LinkedHashMap<>();
    for (String item : split(fields.get(3), ITEMS)) {
      int equals = item.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("no token of a node: " + item);
      }
      tokens.put(item.substring(0, equals), new BigInteger(item.substring(equals + 1)));
    }
    return new RingTokens(
        fields.get(0).equals(NONE) ? "" : fields.get(0),
        tokens,
        fields.get(2).equals(NONE) ? List.of() : split(fields.get(2), ITEMS),
        fields.get(1).equals(CLEANUP));
  }

  private static List<String> split(String text, String separator) {
    return Arrays.asList(text.split(separator, -1));
  }
}
