package org.calando.study.config;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.calando.core.workload.Lengths;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;

/**
 * The workload as the study file says it: a preset, a YCSB file or a mix, and what is set over it.
 * {@link WorkloadBinder} makes the workload itself.
 *
 * <p>Immutable and thread safe. Exactly one of {@code preset}, {@code ycsb} and {@code mix} is
 * present; one of {@code operations} and {@code durationNanos} is above 0.
 *
 * @param preset name of a preset
 * @param ycsb a YCSB property file
 * @param mix shares of operations
 * @param distribution how requests are spread over keys, if not as the preset or file says
 * @param records rows of the table
 * @param operations measured operations of a run; 0 for by duration
 * @param durationNanos measured time of a run; 0 for by operations
 * @param warmUp what is run first and left out
 * @param fields fields of a record
 * @param fieldLengths bytes of a field
 * @param maxScan records of the longest scan
 * @param scanShape how lengths of scans are distributed
 * @param readAllFields whether reads ask for all fields
 * @param writeAllFields whether updates write all fields
 */
public record WorkloadSpec(
    Optional<String> preset,
    Optional<Ycsb> ycsb,
    Optional<Mix> mix,
    Optional<RequestDistribution> distribution,
    OptionalLong records,
    long operations,
    long durationNanos,
    WarmUp warmUp,
    OptionalInt fields,
    Optional<Lengths> fieldLengths,
    OptionalInt maxScan,
    Optional<Lengths.Shape> scanShape,
    Optional<Boolean> readAllFields,
    Optional<Boolean> writeAllFields) {

  /** The workload in results: the preset, the YCSB file's name, or {@code custom}. */
  public String label() {
    return preset.or(() -> ycsb.map(Ycsb::file)).orElse("custom");
  }

  /**
   * A YCSB property file.
   *
   * @param file its name without folder
   * @param properties its content
   */
  public record Ycsb(String file, Map<String, String> properties) {
    public Ycsb {
      properties = Map.copyOf(properties);
    }
  }

  /**
   * What is run before measuring begins; at most one is above 0.
   *
   * @param operations operations
   * @param nanos time
   */
  public record WarmUp(long operations, long nanos) {}
}
