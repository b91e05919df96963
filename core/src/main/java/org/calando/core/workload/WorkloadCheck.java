package org.calando.core.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.calando.core.workload.RequestDistribution.Exponential;
import org.calando.core.workload.RequestDistribution.Hotspot;
import org.calando.core.workload.RequestDistribution.ScrambledZipfian;
import org.calando.core.workload.RequestDistribution.Zipfian;

/** Finds what makes a workload impossible. Not thread safe: one check, one object. */
final class WorkloadCheck {
  /** Doubles count exactly up to here. */
  private static final long MAX_RECORDS = 1L << 53;

  private static final int MAX_FIELDS = 10_000;
  private static final int MAX_FIELD_BYTES = 1 << 30;

  /** Names that need no quoting in any of the engines; Cassandra allows 48 characters. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,47}");

  private final List<String> problems = new ArrayList<>();

  private WorkloadCheck() {}

  static List<String> problems(Workload workload) {
    WorkloadCheck check = new WorkloadCheck();
    check.keys(workload);
    check.records(workload);
    check.mix(workload.mix());
    check.requests(workload.requests());
    check.lengths("scanLengths", workload.scanLengths(), 1, Integer.MAX_VALUE - 1);
    return List.copyOf(check.problems);
  }

  private void keys(Workload workload) {
    long records = workload.records();
    long start = workload.insertStart();
    require(
        records >= 1 && records <= MAX_RECORDS, "records", records + " is not between 1 and 2^53");
    require(start >= 0, "insertStart", start + " is less than 0");
    long count = workload.insertCount();
    if (records >= 1 && start >= records) {
      problem("insertStart", "%d leaves none of %d records".formatted(start, records));
    } else if (records >= 1 && start >= 0) {
      require(count >= 1, "insertCount", count + " is less than 1");
      // Not start + count, which may overflow.
      require(
          count <= records - start,
          "insertCount",
          "%d from %d on is more than %d records".formatted(count, start, records));
    }
    require(
        workload.operationCount() >= 0,
        "operationCount",
        workload.operationCount() + " is less than 0");
  }

  private void records(Workload workload) {
    int fields = workload.fields();
    require(
        fields >= 1 && fields <= MAX_FIELDS,
        "fields",
        fields + " is not between 1 and " + MAX_FIELDS);
    lengths("fieldLengths", workload.fieldLengths(), 0, MAX_FIELD_BYTES);
    name("table", workload.table());
    name("fieldPrefix", workload.fieldPrefix());
  }

  private void name(String component, String name) {
    require(
        NAME.matcher(name).matches(),
        component,
        "\"%s\" is not a letter followed by at most 47 letters, digits or underscores"
            .formatted(name));
  }

  private void mix(Mix mix) {
    boolean each = true;
    for (OperationKind kind : OperationKind.values()) {
      double share = mix.share(kind);
      boolean possible = share >= 0 && share <= 1;
      require(possible, "mix", "the share of %s, %s, is not in 0 .. 1".formatted(kind, share));
      each &= possible;
    }
    if (each) {
      require(mix.isNormalised(), "mix", "the shares sum to %s, not to 1".formatted(mix.sum()));
    }
  }

  private void requests(RequestDistribution requests) {
    if (requests instanceof Zipfian zipfian) {
      constant(zipfian.constant());
    } else if (requests instanceof ScrambledZipfian zipfian) {
      constant(zipfian.constant());
    } else if (requests instanceof Hotspot hotspot) {
      share("hotspot data fraction", hotspot.dataFraction());
      share("hotspot operation fraction", hotspot.operationFraction());
    } else if (requests instanceof Exponential exponential) {
      double percentile = exponential.percentile();
      require(
          percentile > 0 && percentile < 100,
          "requests",
          "exponential percentile %s is not between 0 and 100, both excluded"
              .formatted(percentile));
      double fraction = exponential.fraction();
      require(
          fraction > 0 && Double.isFinite(fraction),
          "requests",
          "exponential fraction %s is not greater than 0".formatted(fraction));
    }
  }

  private void constant(double constant) {
    require(
        constant > 0 && constant < 1,
        "requests",
        "zipfian constant %s is not between 0 and 1, both excluded".formatted(constant));
  }

  private void share(String what, double share) {
    require(share >= 0 && share <= 1, "requests", "%s %s is not in 0 .. 1".formatted(what, share));
  }

  private void lengths(String component, Lengths lengths, int least, int most) {
    int min = lengths.min();
    int max = lengths.max();
    require(min >= least, component, "minimum %d is less than %d".formatted(min, least));
    require(max <= most, component, "maximum %d is more than %d".formatted(max, most));
    require(min <= max, component, "minimum %d is more than maximum %d".formatted(min, max));
    require(
        lengths.shape() != Lengths.Shape.CONSTANT || min >= max,
        component,
        "constant, but minimum %d is not maximum %d".formatted(min, max));
  }

  private void require(boolean condition, String component, String otherwise) {
    if (!condition) {
      problem(component, otherwise);
    }
  }

  private void problem(String component, String what) {
    problems.add(component + ": " + what);
  }
}
