package org.calando.studyfile.workload;

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
 * <p>Immutable and thread safe. At most one of {@code preset}, {@code ycsb} and {@code mix} is
 * present, and at most one of {@code operations} and {@code durationNanos} is above 0. A workload
 * without any of the first three only fills what others leave open: {@link #orAs}.
 *
 * @param name what results call it, if not by its preset or file
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
 * @param fileWork what clients of a store of files do; all about operations on records is empty
 *     then
 */
public record WorkloadSpec(
    Optional<String> name,
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
    Optional<Boolean> writeAllFields,
    Optional<FileWork> fileWork) {

  /** The workload in results: its name, the preset, the YCSB file's name, or {@code custom}. */
  public String label() {
    return name.or(() -> preset)
        .or(() -> ycsb.map(Ycsb::file))
        .or(() -> fileWork.map(FileWork::label))
        .orElse("custom");
  }

  /** Whether it says what clients do, rather than only how much and on which records. */
  public boolean hasOperations() {
    return preset.isPresent() || ycsb.isPresent() || mix.isPresent() || fileWork.isPresent();
  }

  /** Whether it says how long runs are. */
  public boolean hasLength() {
    return operations > 0 || durationNanos > 0;
  }

  /**
   * This workload with what it leaves open taken from another, and with that one's warm-up and, if
   * it has one, length: a YCSB file's own length is the weakest.
   */
  public WorkloadSpec orAs(WorkloadSpec common) {
    WorkloadSpec length = common.hasLength() ? common : this;
    return new WorkloadSpec(
        name,
        preset,
        ycsb,
        mix,
        distribution.or(common::distribution),
        records.isPresent() ? records : common.records,
        length.operations,
        length.durationNanos,
        common.warmUp,
        fields.isPresent() ? fields : common.fields,
        fieldLengths.or(common::fieldLengths),
        maxScan.isPresent() ? maxScan : common.maxScan,
        scanShape.or(common::scanShape),
        readAllFields.or(common::readAllFields),
        writeAllFields.or(common::writeAllFields),
        fileWork);
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
   * What is run before measuring begins; at most one says anything.
   *
   * @param operations operations
   * @param nanos time
   * @param untilSteady whether it goes on until throughput is steady
   */
  public record WarmUp(long operations, long nanos, boolean untilSteady) {
    /** Goes on until throughput is steady. */
    public static final WarmUp UNTIL_STEADY = new WarmUp(0, 0, true);

    /** Of so many operations, or so long. */
    public WarmUp(long operations, long nanos) {
      this(operations, nanos, false);
    }
  }
}
