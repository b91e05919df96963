package org.calando.gears.idle;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.calando.control.OffSetting;

/**
 * What a shift would do. Immutable.
 *
 * @param from who sleeps now
 * @param to who is to sleep
 * @param steps a line a step
 * @param moves of regions, as they would be made now
 * @param nearBefore share of all regions' bytes that are on the DataNode beside their server, 0 to
 *     1
 * @param nearAfter the same once the regions are moved; empty where nodes wake: the NameNode does
 *     not tell before what they hold
 * @param staying DataNodes that serve then
 * @param copies that HBase's files ask for, at most; new blocks get {@code staying} at most
 * @param obstacle why it would fail now; empty if nothing is known that would
 */
public record IdlePlan(
    OffSetting from,
    OffSetting to,
    List<String> steps,
    List<Move> moves,
    double nearBefore,
    OptionalDouble nearAfter,
    int staying,
    int copies,
    Optional<String> obstacle) {
  /** Copies the lists. */
  public IdlePlan {
    steps = List.copyOf(steps);
    moves = List.copyOf(moves);
  }

  /**
   * A region that is moved.
   *
   * @param region the hash that ends its name
   * @param table its table
   * @param from the server that has it
   * @param to the server that gets it
   * @param bytes of its files
   * @param nearBytes of these on the DataNode beside the server that gets it; 0 where it is about
   *     to wake
   */
  public record Move(
      String region, String table, String from, String to, long bytes, long nearBytes) {}
}
