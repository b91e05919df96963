package org.calando.core.layout.gear;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;

/**
 * What the gear file of a store says: the layout, its nodes, and the gear that is in force. The
 * file is a JSON object of {@link #toMap}; who reads and writes it brings the JSON. Immutable.
 *
 * @param layout of the files in the folder
 * @param nodes transfer address of node 1, 2 and so on, {@code host:port}
 * @param gear in force, from 1
 * @param offload how a node is chosen that stands in for one that is off
 * @param folder whose files the layout is for, an absolute path; {@code /} is all
 * @param log the file that tells of blocks that could not be written to their homes, if one is kept
 * @param seed of random choices
 */
public record GearFile(
    GearLayout layout,
    List<String> nodes,
    int gear,
    Offload offload,
    String folder,
    Optional<String> log,
    long seed) {
  /** The version of the format that this is. */
  public static final int VERSION = 1;

  private static final String WHERE = "gear file";

  /** How a node is chosen that stands in for one that is off. */
  public enum Offload {
    /** Any one, as the paper has it. */
    RANDOM,
    /** The one that stood in for fewest bytes so far. */
    BALANCED;

    /** How it is written: {@code random} or {@code balanced}. */
    public String label() {
      return this == RANDOM ? "random" : "balanced";
    }
  }

  /**
   * Copies the list.
   *
   * @throws BadRequestException if the parts do not fit each other
   */
  public GearFile {
    nodes = List.copyOf(nodes);
    GearGroups groups = layout.groups();
    if (nodes.size() != groups.nodes() || new HashSet<>(nodes).size() != nodes.size()) {
      throw wrong(
          "nodes", nodes.size() + " addresses", "give a different one of each node: " + groups);
    }
    groups.nodesIn(gear);
    if (!folder.startsWith("/")) {
      throw wrong("folder", "'" + folder + "'", "write an absolute path");
    }
  }

  /** The same in another gear. */
  public GearFile in(int other) {
    return new GearFile(layout, nodes, other, offload, folder, log, seed);
  }

  /** Whether the layout is for this file. */
  public boolean covers(String path) {
    return folder.equals("/")
        || (path.startsWith(folder)
            && (folder.endsWith("/")
                || path.length() == folder.length()
                || path.charAt(folder.length()) == '/'));
  }

  /** What the file holds: texts, whole numbers and lists of these. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("version", VERSION);
    map.put("layout", layout.name());
    map.put("order", layout instanceof ParaidLayout paraid ? paraid.order().label() : "even");
    map.put("gears", layout.groups().sizes());
    map.put(
        "primaries",
        layout instanceof RabbitLayout rabbit ? rabbit.primaries() : layout.groups().nodesIn(1));
    map.put("replicas", layout.replicas());
    map.put("nodes", nodes);
    map.put("gear", gear);
    map.put("offload", offload.label());
    map.put("folder", folder);
    log.ifPresent(file -> map.put("log", file));
    map.put("seed", seed);
    return map;
  }

  /**
   * Reads what {@link #toMap} gives. Keys that it does not know are left for later versions.
   *
   * @throws BadRequestException naming the first thing that is wrong
   */
  public static GearFile of(Map<?, ?> map) {
    long version = number(map, "version", null);
    if (version != VERSION) {
      throw wrong("version", String.valueOf(version), "this Calando reads version " + VERSION);
    }
    List<Integer> sizes = new ArrayList<>();
    list(map, "gears").forEach(size -> sizes.add(small("gears", whole("gears", size))));
    GearGroups groups = new GearGroups(sizes);
    List<String> nodes = new ArrayList<>();
    list(map, "nodes").forEach(node -> nodes.add(String.valueOf(node)));
    Object log = map.get("log");
    return new GearFile(
        layout(map, groups),
        nodes,
        integer(map, "gear", null),
        offload(text(map, "offload", "random")),
        text(map, "folder", "/"),
        log == null ? Optional.empty() : Optional.of(log.toString()),
        number(map, "seed", 1L));
  }

  private static GearLayout layout(Map<?, ?> map, GearGroups groups) {
    String name = text(map, "layout", "");
    return switch (name) {
      case "rabbit" ->
          RabbitLayout.of(
              groups,
              integer(map, "primaries", (long) groups.nodesIn(1)),
              integer(map, "replicas", 2L));
      case "paraid" ->
          ParaidLayout.of(groups, ParaidLayout.Order.parse(text(map, "order", "even")));
      default -> throw wrong("layout", "'" + name + "'", "write rabbit or paraid");
    };
  }

  private static Offload offload(String label) {
    for (Offload offload : Offload.values()) {
      if (offload.label().equals(label)) {
        return offload;
      }
    }
    throw wrong("offload", "'" + label + "'", "write random or balanced");
  }

  private static String text(Map<?, ?> map, String key, String otherwise) {
    Object value = map.get(key);
    return value == null ? otherwise : value.toString();
  }

  private static List<?> list(Map<?, ?> map, String key) {
    if (map.get(key) instanceof List<?> list) {
      return list;
    }
    throw wrong(key, String.valueOf(map.get(key)), "write a list");
  }

  private static int integer(Map<?, ?> map, String key, @Nullable Long otherwise) {
    return small(key, number(map, key, otherwise));
  }

  private static int small(String key, long value) {
    if (Math.abs(value) > Integer.MAX_VALUE) {
      throw wrong(key, String.valueOf(value), "write a smaller number");
    }
    return (int) value;
  }

  private static long number(Map<?, ?> map, String key, @Nullable Long otherwise) {
    Object value = map.get(key);
    return value == null && otherwise != null ? otherwise : whole(key, value);
  }

  private static long whole(String key, @Nullable Object value) {
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw wrong(key, String.valueOf(value), "write a whole number");
  }

  private static BadRequestException wrong(String key, String what, String remedy) {
    return new BadRequestException(key + " is " + what, WHERE, remedy);
  }
}
