package org.calando.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.layout.Arrangement;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.TokenLayout;
import org.calando.core.layout.WarmShare;
import org.calando.study.config.LayoutType;
import org.calando.study.config.schema.Problems;
import org.calando.study.config.schema.Refusal;
import org.calando.study.config.schema.ScalarType;
import org.calando.study.config.schema.Tree;
import org.calando.study.config.schema.Types;
import org.calando.study.config.schema.Where;
import org.jspecify.annotations.Nullable;

/** Reads the arguments of {@code layout tokens} and tells all that is wrong with them at once. */
final class TokenArguments {
  static final String NODES = "--nodes";
  static final String LAYOUT = "--layout";
  static final String WARM = "--warm";
  static final String INTERLEAVE = "--interleave";
  static final String PARTITIONER = "--partitioner";
  static final String RF = "--rf";
  static final String RACKS = "--racks";
  static final String FORMAT = "--format";
  static final String JSON = "--json";

  private static final int USUAL_REPLICAS = 3;
  private static final ScalarType<Integer> COUNT = Types.integer(1, TokenLayout.MAX_NODES);
  private static final ScalarType<Partitioner> PARTITIONERS =
      Types.choice(
          "a partitioner", ordered("murmur3", Partitioner.MURMUR3, "random", Partitioner.RANDOM));
  private static final ScalarType<TokenRequest.Format> FORMATS =
      Types.choice("a format", formats());

  private final Map<String, String> given = new LinkedHashMap<>();
  private final Problems problems = new Problems();

  private static Map<String, TokenRequest.Format> formats() {
    Map<String, TokenRequest.Format> formats = new LinkedHashMap<>();
    formats.put("table", TokenRequest.Format.TABLE);
    formats.put("json", TokenRequest.Format.JSON);
    formats.put("yaml", TokenRequest.Format.YAML);
    return formats;
  }

  private static <T> Map<String, T> ordered(String a, T x, String b, T y) {
    Map<String, T> map = new LinkedHashMap<>();
    map.put(a, x);
    map.put(b, y);
    return map;
  }

  /** Takes an argument; null if it was not given. */
  void put(String name, @Nullable String text) {
    if (text != null) {
      given.put(name, text);
    }
  }

  /**
   * What is asked for.
   *
   * @throws BadRequestException naming everything that is wrong
   */
  TokenRequest request() {
    if (!given.containsKey(NODES)) {
      wrong(NODES, "is missing", "write the number of nodes");
    }
    Optional<Integer> nodes = optional(NODES, COUNT);
    WarmShare share = share();
    nodes.ifPresent(count -> checkShare(share, count));
    int rf = atMostNodes(RF, nodes).orElse(Math.min(USUAL_REPLICAS, nodes.orElse(1)));
    int racks = atMostNodes(RACKS, nodes).orElse(1);
    Partitioner partitioner = optional(PARTITIONER, PARTITIONERS).orElse(Partitioner.MURMUR3);
    TokenRequest.Format format = format();
    problems.throwIfAny();
    return new TokenRequest(
        nodes.orElseThrow(),
        share,
        given.containsKey(INTERLEAVE) ? Arrangement.INTERLEAVED : Arrangement.CONTIGUOUS,
        partitioner,
        rf,
        racks,
        format);
  }

  private WarmShare share() {
    if (given.containsKey(LAYOUT) && given.containsKey(WARM)) {
      wrong(WARM, "is given beside --layout, which says the same", "remove one of them");
    }
    return optional(LAYOUT, LayoutType.SHARE)
        .or(() -> optional(WARM, LayoutType.SHARE))
        .orElse(WarmShare.EVEN);
  }

  private void checkShare(WarmShare share, int nodes) {
    if (!share.fits(nodes)) {
      wrong(
          given.containsKey(LAYOUT) ? LAYOUT : WARM,
          share.share() + " of " + nodes + " nodes is not one node",
          "write even, or at least 1/" + 2L * nodes);
    }
  }

  private Optional<Integer> atMostNodes(String name, Optional<Integer> nodes) {
    Optional<Integer> count = optional(name, COUNT);
    if (count.isPresent() && nodes.isPresent() && count.get() > nodes.get()) {
      wrong(name, "'" + count.get() + "' is more than all nodes", "write 1 to " + nodes.get());
    }
    return count;
  }

  private TokenRequest.Format format() {
    Optional<TokenRequest.Format> format = optional(FORMAT, FORMATS);
    if (!given.containsKey(JSON)) {
      return format.orElse(TokenRequest.Format.TABLE);
    }
    if (format.isPresent() && format.get() != TokenRequest.Format.JSON) {
      wrong(JSON, "is given beside another --format", "remove one of them");
    }
    return TokenRequest.Format.JSON;
  }

  private <T> Optional<T> optional(String name, ScalarType<T> type) {
    String text = given.get(name);
    if (text == null) {
      return Optional.empty();
    }
    Tree.Scalar scalar = new Tree.Scalar(Where.argument(name), text, false);
    try {
      return Optional.of(type.parse(scalar));
    } catch (Refusal refusal) {
      wrong(name, scalar.shape() + " " + refusal.what(), refusal.remedy());
      return Optional.empty();
    }
  }

  private void wrong(String name, String what, String remedy) {
    problems.add(Where.argument(name), "", what, remedy);
  }
}
