package org.calando.studyfile;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.calando.core.energy.NodeProfile;
import org.calando.engine.StoreSpec;
import org.calando.power.schema.PowerSpec;
import org.calando.schema.Key;
import org.calando.schema.Values;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.sim.SimSpec;

/** Checks what a study says of power against its store. Not thread safe. */
final class PowerChecks {
  private static final String IDLE_ACTIVITY = "store.sim.clocks.idle-activity";

  private final Values study;

  PowerChecks(Values study) {
    this.study = study;
  }

  /** Reports all that is wrong. */
  void run(Key<StoreSpec> storeKey, Key<PowerSpec> powerKey) {
    Optional<StoreSpec> store = study.find(storeKey);
    Optional<PowerSpec> power = study.find(powerKey);
    if (store.isPresent() && power.isPresent()) {
      checkMeteredNodes(store.get(), power.get());
      checkProfile(store.get(), power.get());
    }
  }

  /** Instruments of nodes that are not there would be read by nobody. */
  private void checkMeteredNodes(StoreSpec store, PowerSpec power) {
    Set<String> named = power.nodes().keySet();
    if (named.isEmpty() || store.isSimulated()) {
      return; // a simulated cluster has no use for the instruments of a real one
    }
    if (store.local().isEmpty()) {
      study.errorAt(
          "power.nodes", "is for a local cluster", "write power of nodes into the inventory");
      return;
    }
    List<String> nodes =
        IntStream.rangeClosed(1, store.nodes()).mapToObj(number -> "n" + number).toList();
    for (String name : named) {
      if (!nodes.contains(name)) {
        study.errorAt(
            "power.nodes." + name,
            "there is no node " + name,
            "the nodes are " + String.join(", ", nodes));
      }
    }
  }

  private void checkProfile(StoreSpec store, PowerSpec power) {
    Optional<SimSpec> sim = SimSpec.of(store);
    if (power.calibrated() && sim.flatMap(SimSpec::profile).isEmpty()) {
      study.errorAt(
          "power.profile",
          "is that of a calibrated cluster, and this is none",
          "write store.sim.profile, or another power profile");
      return;
    }
    NodeProfile watts =
        power.of(sim.flatMap(SimSpec::profile).map(CalibrationProfile::power)).profile();
    sim.flatMap(spec -> spec.machines().clocks())
        .map(clocks -> clocks.clocks().idleActivity())
        .filter(activity -> activity * watts.busyWatts() > watts.idleWatts())
        .ifPresent(
            activity ->
                study.errorAt(
                    IDLE_ACTIVITY,
                    "is more than idle over busy watts of " + watts.name(),
                    "write less, or another power.profile"));
  }
}
