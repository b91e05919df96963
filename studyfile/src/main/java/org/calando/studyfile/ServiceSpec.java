package org.calando.studyfile;

import java.util.List;
import java.util.Optional;
import org.calando.engine.StoreSpec;
import org.calando.knob.Point;
import org.calando.power.schema.PowerSpec;

/**
 * What {@code calando govern} governs as a service. Immutable and thread safe.
 *
 * @param clusters the clusters, of different names
 * @param listen where its state and metrics can be asked for; empty for nowhere
 */
public record ServiceSpec(List<Cluster> clusters, Optional<Listen> listen) {
  /** Where a governor listens if its file does not say. */
  public static final int USUAL_PORT = 7474;

  /** Copies the list. */
  public ServiceSpec {
    clusters = List.copyOf(clusters);
  }

  /**
   * A cluster. Immutable and thread safe.
   *
   * @param name what messages call it
   * @param store how it is reached, by its inventory
   * @param control what each knob is set to, or what decides on it; none if it is observed only
   * @param periodNanos from one decision, and one question for requests, to the next
   * @param power how its energy is measured
   */
  public record Cluster(
      String name, StoreSpec store, Point control, long periodNanos, PowerSpec power) {}

  /**
   * An address of this machine's loopback, and a port.
   *
   * @param address such as {@code 127.0.0.1}
   * @param port 1 to 65535, or 0 for any that is free
   */
  public record Listen(String address, int port) {}
}
