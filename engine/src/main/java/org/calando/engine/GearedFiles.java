package org.calando.engine;

import java.util.List;
import java.util.Optional;
import org.calando.core.layout.gear.GearLayout;

/** A local cluster of files with gears, as a file describes it. Immutable and thread safe. */
public interface GearedFiles extends EngineSettings {
  /** How many nodes are on in gear 1, 2, ..., ascending. */
  List<Integer> gears();

  /**
   * Pieces of files that policies of gears take a node to read or write in a second; empty if there
   * are no such policies.
   */
  Optional<Double> nodePerSecond();

  /**
   * Where blocks lie.
   *
   * @param another layout in place of the file's own; empty to keep that
   */
  GearLayout laidOut(Optional<BlockLayout> another);
}
