package org.calando.local.relay;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.calando.core.BadRequestException;

/**
 * The one-way delay of every link of a cluster of N nodes, by sender and receiver (both counted
 * from 0). Immutable.
 */
public final class LinkDelays {
  private static final long LONGEST_NANOS = Duration.ofSeconds(60).toNanos();

  @JsonValue private final long[][] nanos;

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  private LinkDelays(long[][] nanos) {
    this.nanos = nanos;
  }

  /** The same delay on every link. */
  public static LinkDelays uniform(int nodes, Duration oneWay) {
    long[][] nanos = new long[nodes][nodes];
    for (int sender = 0; sender < nodes; sender++) {
      Arrays.fill(nanos[sender], checked(oneWay));
      nanos[sender][sender] = 0;
    }
    return new LinkDelays(nanos);
  }

  /**
   * A delay per link: row = sender, column = receiver; the diagonal is ignored.
   *
   * @throws BadRequestException if the matrix is not square or a delay is not within 0 to 60 s
   */
  public static LinkDelays matrix(List<List<Duration>> rows) {
    long[][] nanos = new long[rows.size()][rows.size()];
    for (int sender = 0; sender < rows.size(); sender++) {
      List<Duration> row = rows.get(sender);
      if (row.size() != rows.size()) {
        throw new BadRequestException(
            "row "
                + (sender + 1)
                + " has "
                + row.size()
                + " delays, there are "
                + rows.size()
                + " rows",
            "link delay matrix",
            "give one row per sender and one delay per receiver");
      }
      for (int receiver = 0; receiver < row.size(); receiver++) {
        nanos[sender][receiver] = sender == receiver ? 0 : checked(row.get(receiver));
      }
    }
    return new LinkDelays(nanos);
  }

  /** The number of nodes. */
  public int nodes() {
    return nanos.length;
  }

  /** The one-way delay in nanoseconds; nodes count from 0. */
  public long nanos(int sender, int receiver) {
    return nanos[sender][receiver];
  }

  /** True if no link has a delay. */
  public boolean isZero() {
    return Arrays.stream(nanos).flatMapToLong(Arrays::stream).allMatch(delay -> delay == 0);
  }

  /** The rows. */
  public List<List<Duration>> rows() {
    return Arrays.stream(nanos)
        .map(row -> Arrays.stream(row).mapToObj(Duration::ofNanos).toList())
        .toList();
  }

  /** Nanoseconds, columns separated by commas, rows by semicolons. */
  @Override
  public String toString() {
    return String.join(
        ";",
        Arrays.stream(nanos)
            .map(row -> String.join(",", Arrays.stream(row).mapToObj(Long::toString).toList()))
            .toList());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LinkDelays delays && Arrays.deepEquals(nanos, delays.nanos);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(nanos);
  }

  private static long checked(Duration delay) {
    if (delay.isNegative() || delay.compareTo(Duration.ofNanos(LONGEST_NANOS)) > 0) {
      throw new BadRequestException(
          delay + " is no link delay", "link delay", "give a delay from 0 to 60 s");
    }
    return delay.toNanos();
  }
}
