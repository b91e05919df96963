package org.calando.engine;

import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.scalarOrList;

import java.util.List;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Values;

/** How delays of links are written. */
public final class LinkDelayType {
  private static final ScalarType<Long> DELAY = duration(0, 10_000_000_000L);

  private LinkDelayType() {}

  /** A delay of all links, or a matrix for at most so many nodes. */
  public static Type<LinkDelay> of(int most) {
    Type<List<List<Long>>> matrix = list(list(DELAY, 1, most), 1, most);
    return scalarOrList(mapped(DELAY, LinkDelay::uniform), mapped(matrix, LinkDelay::new));
  }

  /** Reports a delay at a path that is neither single nor a matrix for that many nodes. */
  public static void check(Values values, String path, LinkDelay delay, int nodes) {
    if (!delay.isFor(nodes)) {
      values.errorAt(
          path,
          "is not a matrix of " + nodes + " x " + nodes + " delays",
          "write a row and a column for each of the " + nodes + " nodes");
    }
  }
}
