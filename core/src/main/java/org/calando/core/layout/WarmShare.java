package org.calando.core.layout;

import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;

/**
 * Which share of a cluster's nodes is warm: the layouts of Li 2013, section 4, and any other share.
 * Immutable.
 *
 * @param share 0 (no pools: every node owns the same) to 1
 */
public record WarmShare(Fraction share) {
  /** No pools: algorithm 1. */
  public static final WarmShare EVEN = new WarmShare(Fraction.ZERO);

  /** Half of the nodes warm: algorithm 2. */
  public static final WarmShare HALF = new WarmShare(Fraction.of(1, 2));

  /** A third of the nodes warm: algorithm 3. */
  public static final WarmShare THIRD = new WarmShare(Fraction.of(1, 3));

  /** Two thirds of the nodes warm: algorithm 4. */
  public static final WarmShare TWO_THIRDS = new WarmShare(Fraction.of(2, 3));

  /** What a layout may be written as, for messages. */
  public static final String FORMS =
      "even, half, third, two-thirds, or a share of warm nodes: 1/4, 0.25 or 25%";

  private static final Map<String, WarmShare> NAMED =
      Map.of("even", EVEN, "half", HALF, "third", THIRD, "two-thirds", TWO_THIRDS);

  /**
   * Checks the share.
   *
   * @throws BadRequestException if it is not 0 to 1
   */
  public WarmShare {
    if (share.compareTo(Fraction.ZERO) < 0 || share.compareTo(Fraction.ONE) > 0) {
      throw new BadRequestException(
          share + " of the nodes cannot be warm", "layout", "write a share from 0 to 1");
    }
  }

  /**
   * Reads a layout's name or a share, in one of the {@link #FORMS}.
   *
   * @throws BadRequestException if it is none of them, or no share from 0 to 1
   */
  public static WarmShare parse(String text) {
    WarmShare named = NAMED.get(text);
    if (named != null) {
      return named;
    }
    Optional<Fraction> share = Fraction.parse(text);
    return new WarmShare(
        share.orElseThrow(
            () ->
                new BadRequestException(
                    "'" + text + "' is not a layout", "layout", "write " + FORMS)));
  }

  /** The layout's name, or its share as {@code 1/4}. */
  public String label() {
    return NAMED.entrySet().stream()
        .filter(entry -> entry.getValue().equals(this))
        .map(Map.Entry::getKey)
        .findAny()
        .orElseGet(share::toString);
  }

  /**
   * Whether so many nodes can have the layout: at least one is warm, unless none is to be.
   *
   * @param nodes 1 or more
   */
  public boolean fits(int nodes) {
    return share.numerator().signum() == 0 || share.of(nodes).signum() > 0;
  }

  /**
   * The warm nodes of so many: the nearest whole number, a half counting as one, which makes 20 of
   * the thesis's 39 nodes a half of them.
   *
   * @param nodes 1 to {@link TokenLayout#MAX_NODES}
   * @throws BadRequestException if there are no such clusters, or the share is too small for one
   *     node of them
   */
  public int warmNodes(int nodes) {
    TokenLayout.checkNodes(nodes);
    if (!fits(nodes)) {
      throw new BadRequestException(
          share + " of " + nodes + " nodes is not one node",
          "layout",
          "write even, or at least 1/" + 2L * nodes);
    }
    return share.of(nodes).intValueExact();
  }
}
