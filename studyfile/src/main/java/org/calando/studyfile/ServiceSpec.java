package org.calando.studyfile;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.energy.EnergyPricing;
import org.calando.core.energy.NodeProfile;
import org.calando.core.observe.ClientUse;
import org.calando.engine.GearSettings;
import org.calando.engine.StoreSpec;
import org.calando.http.Listening;
import org.calando.knob.ManagedClocks;
import org.calando.knob.Point;
import org.calando.power.Meters;
import org.calando.power.schema.PowerSpec;
import org.calando.studyfile.service.NotifySpec;

/**
 * What {@code calando govern} governs as a service. Immutable and thread safe.
 *
 * @param clusters the clusters, of different names
 * @param listen where its state and metrics can be asked for, its files relative to the file's
 *     folder; empty for nowhere
 * @param attended whether somebody sees to it, as to a command at a terminal: a knob that cannot be
 *     taken, or a shift that fails, ends it; and nothing is observed but what is governed, of which
 *     it reports each minute
 * @param webhook who is notified when something is amiss; empty for nobody
 */
public record ServiceSpec(
    List<Cluster> clusters,
    Optional<Listening> listen,
    boolean attended,
    Optional<NotifySpec> webhook) {
  /** Where a governor listens if its file does not say. */
  public static final int USUAL_PORT = 7474;

  private static final long SECOND_NANOS = 1_000_000_000L;

  /** Copies the list. */
  public ServiceSpec {
    clusters = List.copyOf(clusters);
  }

  /** One that notifies nobody. */
  public ServiceSpec(List<Cluster> clusters, Optional<Listening> listen, boolean attended) {
    this(clusters, listen, attended, Optional.empty());
  }

  /** That of a file. */
  static ServiceSpec of(
      List<Cluster> clusters, Optional<Listening> listen, Optional<NotifySpec> webhook) {
    return new ServiceSpec(clusters, listen, false, webhook);
  }

  /**
   * A single cluster that somebody sees to, which goes by its engine's name.
   *
   * @param profile power of a node
   */
  public static ServiceSpec attended(
      StoreSpec store, Point control, Machines machines, long periodNanos, NodeProfile profile) {
    PowerSpec power =
        new PowerSpec(Meters.AUTO, profile, false, 0, SECOND_NANOS, EnergyPricing.NONE, Map.of());
    return new ServiceSpec(
        List.of(
            new Cluster(
                store.engine(),
                store,
                control,
                machines,
                periodNanos,
                power,
                ClusterPromise.NONE,
                ClientUse.UNKNOWN,
                false,
                Point.NONE)),
        Optional.empty(),
        true);
  }

  /**
   * A cluster. Immutable and thread safe.
   *
   * @param name what messages call it
   * @param store how it is reached, by its inventory
   * @param control what each knob is set to, or what decides on it; none if it is observed only
   * @param machines what its policies take its machines for
   * @param periodNanos from one decision, and one question for requests, to the next
   * @param power how its energy is measured
   * @param promise what its clients are promised
   * @param clients what is declared of them
   * @param sessions whether levels of applications' sessions are decided, where they ask for it
   * @param considered policies that decide and set nothing
   */
  public record Cluster(
      String name,
      StoreSpec store,
      Point control,
      Machines machines,
      long periodNanos,
      PowerSpec power,
      ClusterPromise promise,
      ClientUse clients,
      boolean sessions,
      Point considered) {
    /** How its clocks are set, where control has them. */
    public Optional<ManagedClocks> clocks() {
      return machines.clocks();
    }

    /** What a policy of gears takes it for; there if its gear is controlled or considered. */
    public Optional<GearSettings> gears() {
      return machines.gears();
    }
  }

  /**
   * What policies take a cluster's machines for. Immutable and thread safe.
   *
   * @param clocks the processors of its nodes, and how they are clocked
   * @param gears what its nodes serve
   */
  public record Machines(Optional<ManagedClocks> clocks, Optional<GearSettings> gears) {}
}
