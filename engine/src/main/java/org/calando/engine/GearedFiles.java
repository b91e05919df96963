package org.calando.engine;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.calando.core.energy.NodeProfile;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.LayoutGears;

/** A local cluster of files with gears, as a file describes it. Immutable and thread safe. */
public interface GearedFiles extends EngineSettings, GearedNodes {
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

  @Override
  default OptionalInt highest() {
    return OptionalInt.of(gears().size());
  }

  @Override
  default Optional<GearModel> gearModel(NodeProfile profile, Optional<BlockLayout> layout) {
    return nodePerSecond()
        .map(
            serves ->
                LayoutGears.ofFiles(
                    laidOut(layout), profile, serves, GearModel.PROCESS_OFF_SECONDS));
  }
}
