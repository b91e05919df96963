package org.calando.engine;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How blocks of files are laid out on the nodes of a cluster with gears. */
public enum BlockLayout {
  /** RABBIT: one replica on a node of gear 1, the others behind. */
  RABBIT,
  /** PARAID with one round over the blocks of all files. */
  PARAID,
  /** PARAID in which each file begins at node 1, as published. */
  PARAID_PER_FILE;

  /** All by their names in files and results. */
  static final Map<String, BlockLayout> NAMES =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(BlockLayout::label, each -> each));

  /** What files and results call it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Which of the two families it is of. */
  public String family() {
    return this == RABBIT ? "rabbit" : "paraid";
  }

  /** The order of PARAID's blocks. */
  public String order() {
    return this == PARAID_PER_FILE ? "per-file" : "even";
  }

  /** The names, for messages. */
  public static String forms() {
    return Stream.of(values()).map(BlockLayout::label).collect(Collectors.joining(", "));
  }
}
