package org.calando.core.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.calando.core.BadRequestException;
import org.calando.core.workload.internal.ycsb.IgnoredProperties;
import org.calando.core.workload.internal.ycsb.PropertyReader;

/**
 * Reads the properties of YCSB's core workload, as in its files workloada .. workloadf, with YCSB's
 * defaults.
 *
 * <p>Each property is honoured, or ignored with a warning that says why (unless its value asks for
 * nothing that Calando does not do anyway), or refused. {@code requestdistribution=zipfian} is a
 * scrambled zipfian, as in YCSB. Operation proportions are weights, as in YCSB: they are divided by
 * their sum, with a warning if it is not 1. Stateless and thread safe.
 */
public final class YcsbProperties {
  private static final List<String> WORKLOAD_CLASSES =
      List.of("site.ycsb.workloads.CoreWorkload", "com.yahoo.ycsb.workloads.CoreWorkload");

  private static final List<String> KEYS = List.of("recordcount", "insertstart", "insertcount");

  /** The properties behind the components that {@link Workload#validate()} names. */
  private static final Map<String, List<String>> PROPERTIES_OF_COMPONENT =
      Map.of(
          "records",
          KEYS,
          "insertStart",
          KEYS,
          "insertCount",
          KEYS,
          "operationCount",
          List.of("operationcount"),
          "fields",
          List.of("fieldcount"),
          "fieldLengths",
          List.of("minfieldlength", "fieldlength", "fieldlengthdistribution"),
          "mix",
          List.of(
              "readproportion",
              "updateproportion",
              "insertproportion",
              "scanproportion",
              "readmodifywriteproportion"),
          "requests",
          List.of(
              "requestdistribution",
              "hotspotdatafraction",
              "hotspotopnfraction",
              "exponential.percentile",
              "exponential.frac"),
          "scanLengths",
          List.of("minscanlength", "maxscanlength", "scanlengthdistribution"),
          "fieldPrefix",
          List.of("fieldnameprefix"));

  private final PropertyReader properties;

  private YcsbProperties(PropertyReader properties) {
    this.properties = properties;
  }

  /**
   * What a set of properties says.
   *
   * @param workload a valid workload
   * @param operationCount operations of the run; empty if absent or 0, which is no limit
   * @param threads {@code threadcount}
   * @param targetPerSecond {@code target}: operations per second of all threads together; empty if
   *     absent or 0, which is no throttle
   * @param maxExecutionSeconds {@code maxexecutiontime}; empty if absent or 0, which is no limit
   * @param warnings a sentence for each property that has no effect, or another than it seems
   */
  public record Parsed(
      Workload workload,
      OptionalLong operationCount,
      OptionalInt threads,
      OptionalDouble targetPerSecond,
      OptionalLong maxExecutionSeconds,
      List<String> warnings) {}

  /**
   * Reads properties.
   *
   * @param properties the content of a workload file, overridden as the caller sees fit
   * @param where the file, for messages
   * @throws BadRequestException naming every property that is missing, malformed or impossible
   */
  public static Parsed parse(Map<String, String> properties, String where) {
    PropertyReader reader = new PropertyReader(new TreeMap<>(properties));
    Parsed parsed = new YcsbProperties(reader).parse();
    if (!reader.problems().isEmpty()) {
      throw new BadRequestException(
          "not a YCSB core workload that can run:\n  " + String.join("\n  ", reader.problems()),
          where,
          "change the properties named; the others may stay");
    }
    return parsed;
  }

  private Parsed parse() {
    workloadClass();
    long operations = properties.wholeNumber("operationcount", 0, 0);
    Workload workload = workload(operations);
    long threads = properties.wholeNumber("threadcount", 1, 1);
    double target = properties.number("target", 0);
    long seconds = properties.wholeNumber("maxexecutiontime", 0, 0);
    workload.validate().forEach(this::noteInYcsbTerms);
    boolean scrambled = workload.requests() instanceof RequestDistribution.ScrambledZipfian;
    if (scrambled && workload.mix().insert() > 0 && operations == 0) {
      properties.warn(
          "operationcount is missing: records inserted during the run will not be requested unless"
              + " the number of operations is given");
    }
    List<String> warnings = new ArrayList<>(properties.warnings());
    warnings.addAll(IgnoredProperties.warnings(properties.unread()));
    return new Parsed(
        workload,
        operations > 0 ? OptionalLong.of(operations) : OptionalLong.empty(),
        properties.has("threadcount") ? OptionalInt.of((int) threads) : OptionalInt.empty(),
        target > 0 ? OptionalDouble.of(target) : OptionalDouble.empty(),
        seconds > 0 ? OptionalLong.of(seconds) : OptionalLong.empty(),
        List.copyOf(warnings));
  }

  private void workloadClass() {
    String name = properties.text("workload", WORKLOAD_CLASSES.get(0));
    if (!WORKLOAD_CLASSES.contains(name)) {
      properties.problem(
          "workload",
          "\"%s\" is not %s, the only workload class there is here"
              .formatted(name, WORKLOAD_CLASSES.get(0)));
    }
  }

  private Workload workload(long operations) {
    // YCSB takes a missing record count as 2^31 - 1 and would ask for records that nobody loaded.
    long records = properties.requiredWholeNumber("recordcount", 1);
    Workload.Builder builder =
        Workload.builder()
            .records(records)
            .insertStart(properties.wholeNumber("insertstart", 0, 0))
            .operationCount(operations)
            .fields((int) properties.wholeNumber("fieldcount", 10, 1))
            .fieldLengths(fieldLengths())
            .readAllFields(properties.flag("readallfields", true))
            .writeAllFields(properties.flag("writeallfields", false))
            .mix(mix())
            .requests(requests())
            .scanLengths(scanLengths())
            .table(properties.text("table", "usertable"))
            .fieldPrefix(properties.text("fieldnameprefix", "field"));
    if (properties.has("insertcount")) {
      builder.insertCount(properties.wholeNumber("insertcount", 1, 1));
    }
    return builder.build();
  }

  private Lengths fieldLengths() {
    int max = (int) properties.wholeNumber("fieldlength", 100, 0);
    int min = (int) properties.wholeNumber("minfieldlength", 1, 0);
    String shape =
        properties.choice(
            "fieldlengthdistribution", "constant", "constant", "uniform", "zipfian", "histogram");
    if (shape.equals("histogram")) {
      properties.problem(
          "fieldlengthdistribution",
          "histogram is not supported; take constant, uniform or zipfian");
    } else {
      properties.warnIfPresent(
          "fieldlengthhistogram", "fieldlengthdistribution=%s uses none".formatted(shape));
    }
    return switch (shape) {
      case "uniform" -> Lengths.uniform(min, max);
      case "zipfian" -> Lengths.zipfian(min, max);
      default -> Lengths.constant(max);
    };
  }

  private Lengths scanLengths() {
    int min = (int) properties.wholeNumber("minscanlength", 1, 1);
    int max = (int) properties.wholeNumber("maxscanlength", 1000, 1);
    String shape = properties.choice("scanlengthdistribution", "uniform", "uniform", "zipfian");
    return shape.equals("zipfian") ? Lengths.zipfian(min, max) : Lengths.uniform(min, max);
  }

  private Mix mix() {
    Mix weights =
        new Mix(
            properties.number("readproportion", 0.95),
            properties.number("updateproportion", 0.05),
            properties.number("insertproportion", 0),
            properties.number("scanproportion", 0),
            properties.number("readmodifywriteproportion", 0));
    if (weights.isNormalised()) {
      return weights;
    }
    if (!(weights.sum() > 0)) {
      properties.problem("readproportion", "all proportions are 0");
      return Mix.readUpdate(1, 0);
    }
    properties.warn(
        "the operation proportions sum to %s, not to 1; they are divided by the sum, as YCSB does"
            .formatted(weights.sum()));
    return weights.normalised();
  }

  private RequestDistribution requests() {
    String name =
        properties.choice(
            "requestdistribution",
            "uniform",
            "uniform",
            "zipfian",
            "latest",
            "hotspot",
            "sequential",
            "exponential");
    double data = properties.number("hotspotdatafraction", 0.2);
    double operations = properties.number("hotspotopnfraction", 0.8);
    double percentile = properties.number("exponential.percentile", 95);
    double fraction = properties.number("exponential.frac", 0.8571428571);
    return switch (name) {
      case "zipfian" ->
          new RequestDistribution.ScrambledZipfian(RequestDistribution.YCSB_ZIPFIAN_CONSTANT);
      case "latest" -> new RequestDistribution.Latest();
      case "hotspot" -> new RequestDistribution.Hotspot(data, operations);
      case "sequential" -> new RequestDistribution.Sequential();
      case "exponential" -> new RequestDistribution.Exponential(percentile, fraction);
      default -> new RequestDistribution.Uniform();
    };
  }

  private void noteInYcsbTerms(String problem) {
    int colon = problem.indexOf(':');
    String component = problem.substring(0, colon);
    List<String> behind = PROPERTIES_OF_COMPONENT.getOrDefault(component, List.of(component));
    // The default in place of a malformed value would make problems of its own.
    if (behind.stream().noneMatch(properties::isMalformed)) {
      properties.problem(String.join(", ", behind), problem.substring(colon + 2));
    }
  }
}
