package org.calando.core.layout.gear;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;

/**
 * Which nodes are on in which gear: in gear g the nodes 1 to n(g), and all of them in the highest.
 * Gears and nodes are numbered from 1. Immutable.
 *
 * @param sizes nodes that are on in gear 1, 2 and so on, strictly increasing; the last is all nodes
 */
public record GearGroups(List<Integer> sizes) {
  /** The most nodes that there are layouts for. */
  public static final int MAX_NODES = 1000;

  private static final String WHERE = "gears";
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

  /**
   * Copies the list.
   *
   * @throws BadRequestException if it is empty, does not rise, or has too many nodes
   */
  public GearGroups {
    sizes = List.copyOf(sizes);
    if (sizes.isEmpty()) {
      throw new BadRequestException("no gear is given", WHERE, remedy());
    }
    int before = 0;
    for (int size : sizes) {
      if (size <= before) {
        throw new BadRequestException(
            size + (before == 0 ? " nodes are no gear" : " nodes do not follow " + before),
            WHERE,
            remedy());
      }
      before = size;
    }
    if (before > MAX_NODES) {
      throw new BadRequestException(
          "there is no layout for " + before + " nodes", WHERE, "write 1 to " + MAX_NODES);
    }
  }

  /**
   * Reads {@code 3,7}: three nodes are on in gear 1, seven in gear 2.
   *
   * @throws BadRequestException if it is nothing of this kind
   */
  public static GearGroups parse(String text) {
    List<Integer> sizes = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String number = part.strip();
      if (!NUMBER.matcher(number).matches()) {
        throw new BadRequestException("'" + text + "' is no list of gears", WHERE, remedy());
      }
      sizes.add(Integer.valueOf(number));
    }
    return new GearGroups(sizes);
  }

  private static String remedy() {
    return "write how many nodes are on in each gear, rising: 3,7";
  }

  /** How many gears there are. */
  public int gears() {
    return sizes.size();
  }

  /** How many nodes there are. */
  public int nodes() {
    return nodesIn(gears());
  }

  /**
   * How many nodes are on in a gear: the first ones.
   *
   * @param gear 1 to {@link #gears()}
   */
  public int nodesIn(int gear) {
    if (gear < 1 || gear > gears()) {
      throw new BadRequestException("there is no gear " + gear, "gear", "write 1 to " + gears());
    }
    return sizes.get(gear - 1);
  }

  /**
   * The lowest gear in which a node is on, which is the number of its group too.
   *
   * @param node 1 to {@link #nodes()}
   */
  public int gearOf(int node) {
    if (!has(node)) {
      throw new BadRequestException("there is no node " + node, "node", "write 1 to " + nodes());
    }
    int gear = 1;
    while (node > sizes.get(gear - 1)) {
      gear++;
    }
    return gear;
  }

  /** Whether there is such a node. */
  public boolean has(int node) {
    return node >= 1 && node <= sizes.get(sizes.size() - 1);
  }

  /** Whether a node is on in a gear. */
  public boolean isOn(int node, int gear) {
    return has(node) && node <= nodesIn(gear);
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return sizes.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
