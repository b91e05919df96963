package org.calando.engine;

import java.util.Optional;
import java.util.OptionalInt;
import org.calando.core.energy.NodeProfile;
import org.calando.core.policy.gear.GearModel;

/** A cluster with gears, as a file describes it. Immutable and thread safe. */
public interface GearedNodes {
  /** The gear in which all nodes are on; empty if it has no gears. */
  OptionalInt highest();

  /**
   * What policies of gears take the cluster for.
   *
   * @param layout of blocks, in place of the file's own; empty to keep that
   * @return empty if it has no gears, or nobody says what a node serves
   */
  Optional<GearModel> gearModel(NodeProfile profile, Optional<BlockLayout> layout);

  /** Which nodes are on in fixed gears; what they serve need not be known. */
  default Optional<GearModel> fixedModel(NodeProfile profile) {
    return gearModel(profile, Optional.empty());
  }

  /** Replicas of a key that are on in a gear; in gear g there are g where nobody says otherwise. */
  default int copies(int gear) {
    return gear;
  }

  /** Whether from a gear below the highest no other than that can be shifted to. */
  default boolean isViaHighest() {
    return false;
  }

  /** Why it has no gears though its engine has them; empty if it has. */
  default Optional<Lack> lack() {
    return Optional.empty();
  }

  /** What a cluster lacks, and what would give it gears. Immutable. */
  record Lack(String problem, String remedy) {}

  /** Those of a store; empty if its file describes none. */
  static Optional<GearedNodes> of(StoreSpec store) {
    return store
        .find(GearedNodes.class)
        .or(() -> store.local().flatMap(local -> local.find(GearedNodes.class)))
        .or(() -> store.kind().gears(store));
  }

  /** That of a store; empty if its file describes no gears that policies can choose. */
  static Optional<GearModel> model(
      StoreSpec store, NodeProfile profile, Optional<BlockLayout> layout) {
    return of(store).flatMap(geared -> geared.gearModel(profile, layout));
  }
}
