package org.calando.knob;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.report.column.ClockFigures;

/** How far all replicas were behind, over many looks, in bounded memory. Not thread safe. */
public final class LagRecord {
  private static final long MOST_BYTES = 1L << 50;
  private static final int DIGITS = 2;

  private final Histogram bytes = new Histogram(MOST_BYTES, DIGITS);
  private long maxBytes;
  private long maxNanos;
  private long unknown;

  /** Adds a look at the replicas; what is not known is counted apart. */
  public void look(List<NodeView> views) {
    for (NodeView view : views) {
      if (view.role() == Role.REPLICA) {
        if (view.lagBytes().isEmpty() || view.lagNanos().isEmpty()) {
          unknown++;
        } else {
          long behind = view.lagBytes().getAsLong();
          bytes.recordValue(Math.min(behind, MOST_BYTES));
          maxBytes = Math.max(maxBytes, behind);
          maxNanos = Math.max(maxNanos, view.lagNanos().getAsLong());
        }
      }
    }
  }

  /** Looks at which a replica's lag was not known. */
  public long unknown() {
    return unknown;
  }

  /** What came of all looks. */
  public ClockFigures.Lag lag() {
    return bytes.getTotalCount() == 0
        ? ClockFigures.Lag.UNKNOWN
        : new ClockFigures.Lag(
            Math.min(bytes.getValueAtPercentile(50), maxBytes), maxBytes, maxNanos);
  }
}
