package org.calando.cli.layout;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.calando.cli.TextArguments;
import org.calando.cli.TextOptions;
import org.calando.core.BadRequestException;
import org.calando.core.layout.WarmShare;
import org.calando.schema.ScalarType;
import org.calando.schema.Types;

/** Reads the arguments of {@code layout tokens} and tells all that is wrong with them at once. */
final class TokenArguments extends TextArguments {
  static final String FORMAT = "--format";
  static final String JSON = "--json";

  private static final TextOptions OPTIONS = new TextOptions();

  static {
    OPTIONS.add(RingArguments.NODES + "=N", "Nodes of the cluster.");
    OPTIONS.add(
        RingArguments.LAYOUT + "=LAYOUT",
        "even (the default), half, third, two-thirds, or a share of warm nodes: 1/4.");
    OPTIONS.addAll(RingArguments.WARMTH).addAll(RingArguments.RING);
    OPTIONS.add(
        FORMAT + "=FORMAT",
        "table (the default), json, or yaml: the lines of each node's cassandra.yaml.");
  }

  private static final ScalarType<TokenRequest.Format> FORMATS =
      Types.choice("a format", formats());

  TokenArguments() {
    super(OPTIONS);
  }

  private static Map<String, TokenRequest.Format> formats() {
    Map<String, TokenRequest.Format> formats = new LinkedHashMap<>();
    formats.put("table", TokenRequest.Format.TABLE);
    formats.put("json", TokenRequest.Format.JSON);
    formats.put("yaml", TokenRequest.Format.YAML);
    return formats;
  }

  /**
   * What is asked for.
   *
   * @throws BadRequestException naming everything that is wrong
   */
  TokenRequest request() {
    if (!arguments.has(RingArguments.NODES)) {
      arguments.wrong(RingArguments.NODES, "is missing", "write the number of nodes");
    }
    Optional<Integer> nodes = RingArguments.nodes(arguments);
    WarmShare share = RingArguments.layout(arguments, nodes);
    int rf = RingArguments.replicationFactor(arguments, nodes);
    int racks = RingArguments.racks(arguments, nodes);
    TokenRequest.Format format = format();
    TokenRequest request =
        new TokenRequest(
            nodes.orElse(1),
            share,
            RingArguments.arrangement(arguments),
            RingArguments.partitioner(arguments),
            rf,
            racks,
            format);
    arguments.throwIfAny();
    return request;
  }

  private TokenRequest.Format format() {
    Optional<TokenRequest.Format> format = arguments.optional(FORMAT, FORMATS);
    if (!arguments.has(JSON)) {
      return format.orElse(TokenRequest.Format.TABLE);
    }
    if (format.isPresent() && format.get() != TokenRequest.Format.JSON) {
      arguments.wrong(JSON, "is given beside another --format", "remove one of them");
    }
    return TokenRequest.Format.JSON;
  }
}
