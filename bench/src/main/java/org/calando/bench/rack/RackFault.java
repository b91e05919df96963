package org.calando.bench.rack;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** What goes wrong in a trial, and in which step of a shift down or up. */
enum RackFault {
  /** The process that shifts is killed. */
  TOOL_KILLED,
  /** A node that stays on is killed, and started again by whoever watches it. */
  STAYING_NODE_KILLED,
  /** A node of the rack that comes back is killed, and started again. */
  COMING_NODE_KILLED,
  /** A node that stays has no room for hints while the rack is off. */
  HINTS_FULL,
  /** A switch says what it was told, and does nothing. */
  LYING_SWITCH,
  /** Messages to a node of the rack take a fifth of a second, throughout. */
  SLOW_LINK,
  /** Nothing. */
  NONE;

  static final List<String> DOWN = List.of("look", "window", "drain", "off", "settle");
  static final List<String> UP =
      List.of("on", "hold", "join", "deliver", "prove", "serve", "window-back", "settle");

  /** Stands for a fault that is there throughout. */
  static final String THROUGHOUT = "-";

  /** Trials differ in so many ways, in an order that has the kinds early. */
  private static final List<Cell> CELLS = cells();

  /**
   * A fault in a step.
   *
   * @param down whether the step is of the shift down
   * @param step name of the step
   */
  record Cell(RackFault fault, boolean down, String step) {
    String words() {
      return step.equals(THROUGHOUT) ? step : (down ? "down " : "up ") + step;
    }
  }

  private static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (RackFault fault : values()) {
      switch (fault) {
        case TOOL_KILLED, STAYING_NODE_KILLED -> {
          DOWN.forEach(step -> cells.add(new Cell(fault, true, step)));
          UP.forEach(step -> cells.add(new Cell(fault, false, step)));
        }
        case COMING_NODE_KILLED ->
            UP.stream()
                .filter(step -> !step.equals("on"))
                .forEach(step -> cells.add(new Cell(fault, false, step)));
        case LYING_SWITCH ->
            Stream.of(true, false)
                .forEach(down -> cells.add(new Cell(fault, down, down ? "off" : "on")));
        case HINTS_FULL -> cells.add(new Cell(fault, true, "settle"));
        case SLOW_LINK, NONE -> cells.add(new Cell(fault, true, THROUGHOUT));
      }
    }
    Collections.shuffle(cells, new Random(1));
    return List.copyOf(cells);
  }

  /** All cells; a trial of each has every step with every fault that it can have. */
  static List<Cell> all() {
    return CELLS;
  }

  /** That of a seed. */
  static Cell of(long seed) {
    return CELLS.get((int) Math.floorMod(seed, (long) CELLS.size()));
  }
}
