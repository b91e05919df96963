package org.calando.gears;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.ParaidLayout;
import org.calando.core.layout.gear.RabbitLayout;

/**
 * How blocks are to be laid out on a cluster that is set up. Immutable.
 *
 * @param layout {@code rabbit} or {@code paraid}
 * @param order of PARAID's blocks, {@code even} or {@code per-file}
 * @param gears nodes that are on in gear 1, 2, ..., ascending
 * @param primaries of RABBIT; 0 for the nodes of gear 1
 * @param replicas of RABBIT
 * @param offload {@code random} or {@code balanced}
 * @param seed of random choices
 */
public record GearSpec(
    String layout,
    String order,
    List<Integer> gears,
    int primaries,
    int replicas,
    String offload,
    long seed) {
  /** The folder of HDFS whose files are placed so, unless told otherwise. */
  public static final String FOLDER = "/calando";

  public GearSpec {
    gears = List.copyOf(gears);
  }

  /** RABBIT with two replicas, the primaries being gear 1. */
  public static GearSpec rabbit(List<Integer> gears) {
    return new GearSpec("rabbit", "even", gears, 0, 2, "balanced", 1);
  }

  /**
   * PARAID.
   *
   * @param order {@code even} or {@code per-file}
   */
  public static GearSpec paraid(List<Integer> gears, String order) {
    return new GearSpec("paraid", order, gears, 0, 2, "balanced", 1);
  }

  /**
   * The gear file of a cluster that begins in its highest gear.
   *
   * @param nodes transfer addresses
   * @param log where off-loaded writes are noted
   */
  public GearFile file(List<String> nodes, Path log) {
    return new GearFile(
        laidOut(),
        nodes,
        gears.size(),
        offload.equals("random") ? GearFile.Offload.RANDOM : GearFile.Offload.BALANCED,
        FOLDER,
        Optional.of(log.toString()),
        seed);
  }

  /**
   * Refuses what no cluster can have.
   *
   * @throws BadRequestException naming what is wrong
   */
  public void check() {
    GearLayout unused = laidOut();
    if (!offload.equals("random") && !offload.equals("balanced")) {
      throw new BadRequestException(
          "there is no off-loading '" + offload + "'", "offload", "use random or balanced");
    }
  }

  /**
   * The layout that it describes.
   *
   * @throws BadRequestException if there is none of that name
   */
  public GearLayout laidOut() {
    GearGroups groups = new GearGroups(gears);
    return switch (layout) {
      case "rabbit" ->
          RabbitLayout.of(groups, primaries == 0 ? groups.nodesIn(1) : primaries, replicas);
      case "paraid" -> ParaidLayout.of(groups, ParaidLayout.Order.parse(order));
      default ->
          throw new BadRequestException(
              "there is no layout '" + layout + "'", "layout", "use rabbit or paraid");
    };
  }
}
