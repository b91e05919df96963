package org.calando.studyfile.workload;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.core.BadRequestException;
import org.calando.core.workload.Lengths;
import org.calando.core.workload.Presets;
import org.calando.core.workload.Workload;
import org.calando.core.workload.YcsbProperties;
import org.calando.studyfile.workload.WorkloadSpec.Ycsb;

/**
 * Makes the workload that a study file describes.
 *
 * <p>Stateless and thread safe.
 */
public final class WorkloadBinder {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private WorkloadBinder() {}

  /**
   * A workload that can run, and what its YCSB file says in vain.
   *
   * @param workload a valid workload
   * @param warnings a sentence for each property without effect
   */
  public record BoundWorkload(Workload workload, List<String> warnings) {}

  /**
   * Makes the workload.
   *
   * @throws BadRequestException naming all that makes it impossible
   */
  public static BoundWorkload bind(WorkloadSpec spec) {
    List<String> warnings = List.of();
    Workload.Builder builder = Workload.builder();
    if (spec.ycsb().isPresent()) {
      YcsbProperties.Parsed parsed = parse(spec, spec.ycsb().get());
      builder = parsed.workload().toBuilder();
      warnings = parsed.warnings();
    } else if (spec.preset().isPresent()) {
      builder = Presets.byName(spec.preset().get()).orElseThrow();
    }
    Workload workload = withOverrides(builder, spec);
    workload.requireValid(spec.label());
    return new BoundWorkload(workload, warnings);
  }

  /** The same with the operations or the duration of its YCSB file, if that has any. */
  static WorkloadSpec withLengthOfFile(WorkloadSpec spec) {
    if (spec.ycsb().isEmpty()) {
      return spec;
    }
    YcsbProperties.Parsed parsed = parse(spec, spec.ycsb().get());
    long operations = parsed.operationCount().orElse(0);
    long seconds = operations > 0 ? 0 : parsed.maxExecutionSeconds().orElse(0);
    return new WorkloadSpec(
        spec.name(),
        spec.preset(),
        spec.ycsb(),
        spec.mix(),
        spec.distribution(),
        spec.records(),
        operations,
        Math.multiplyExact(Math.min(seconds, 1_000_000), NANOS_PER_SECOND),
        spec.warmUp(),
        spec.fields(),
        spec.fieldLengths(),
        spec.maxScan(),
        spec.scanShape(),
        spec.readAllFields(),
        spec.writeAllFields(),
        spec.fileWork());
  }

  private static YcsbProperties.Parsed parse(WorkloadSpec spec, Ycsb ycsb) {
    Map<String, String> properties = new TreeMap<>(ycsb.properties());
    spec.records().ifPresent(records -> properties.put("recordcount", String.valueOf(records)));
    if (spec.operations() > 0) {
      properties.put("operationcount", String.valueOf(spec.operations()));
    }
    return YcsbProperties.parse(properties, ycsb.file());
  }

  private static Workload withOverrides(Workload.Builder builder, WorkloadSpec spec) {
    spec.mix().ifPresent(builder::mix);
    spec.distribution().ifPresent(builder::requests);
    spec.records().ifPresent(builder::records);
    spec.fields().ifPresent(builder::fields);
    spec.fieldLengths().ifPresent(builder::fieldLengths);
    spec.readAllFields().ifPresent(builder::readAllFields);
    spec.writeAllFields().ifPresent(builder::writeAllFields);
    builder.operationCount(spec.operations());
    Lengths scans = builder.build().scanLengths();
    int max = spec.maxScan().orElse(scans.max());
    Lengths.Shape shape = spec.scanShape().orElse(scans.shape());
    int min = shape == Lengths.Shape.CONSTANT ? max : Math.min(scans.min(), max);
    return builder.scanLengths(new Lengths(shape, min, max)).build();
  }
}
