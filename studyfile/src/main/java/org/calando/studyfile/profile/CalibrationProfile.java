package org.calando.studyfile.profile;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.calando.core.energy.NodeProfile;

/**
 * What a calibration found; {@link ProfileFile} writes and reads it. Immutable and thread safe.
 *
 * @param origin where it comes from
 * @param cluster what it was fitted on
 * @param range the same of workloads and loads
 * @param parameters every parameter with its range
 * @param draws other values that the same runs would allow, as many as are simulated
 * @param fitErrors root mean squared relative difference to what was fitted, by quantity
 * @param heldOut differences to what was not
 * @param power the power of a node
 * @param stages threads of the nodes' stages, whose parameters are among {@code parameters} then
 */
public record CalibrationProfile(
    Origin origin,
    ClusterShape cluster,
    FittedRange range,
    Map<Parameter, Interval> parameters,
    List<Parameters> draws,
    Map<Quantity, Double> fitErrors,
    Optional<HeldOut> heldOut,
    NodeProfile power,
    Optional<StageThreads> stages) {
  /** The version of the file format. */
  public static final int VERSION = 1;

  /** The version of its part on stages. */
  public static final int STAGES_VERSION = 1;

  /** Copies; in the order of the enumeration, so that answers are the same every time. */
  public CalibrationProfile {
    parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
    draws = List.copyOf(draws);
    fitErrors = Collections.unmodifiableMap(new TreeMap<>(fitErrors));
  }

  /**
   * Where a profile comes from.
   *
   * @param studies names of the studies' folders
   * @param started when the first began; may be empty
   * @param machine its processor; may be empty
   * @param runs that were fitted
   * @param configurations of these
   */
  public record Origin(
      List<String> studies, String started, String machine, int runs, int configurations) {
    /** Copies the list. */
    public Origin {
      studies = List.copyOf(studies);
    }
  }

  /** The values that fit best. */
  public Parameters best() {
    Map<Parameter, Double> values = new EnumMap<>(Parameter.class);
    parameters.forEach((parameter, interval) -> values.put(parameter, interval.value()));
    return Parameters.of(values).with(stages);
  }
}
