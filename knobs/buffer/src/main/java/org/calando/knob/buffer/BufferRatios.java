package org.calando.knob.buffer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.calando.knob.buffer.BufferGroups.Group;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Ratio;

/**
 * Deferred writes against strong ones under the same load, block by block; p-values are Holm's over
 * all of a figure's comparisons. Immutable.
 */
final class BufferRatios {
  /** How a figure compares. */
  enum Verdict {
    MORE("more"),
    LESS("less"),
    UNDECIDED("undecided"),
    ONE_REPEAT("one repeat: no interval"),
    NO_PAIR("no repeat in common");

    private final String words;

    Verdict(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /**
   * A figure over that of strong writes.
   *
   * @param adjustedP p-value after Holm's correction, NaN if there is none
   */
  record Compared(Ratio ratio, double adjustedP) {
    Verdict verdict() {
      if (!ratio.present()) {
        return Verdict.NO_PAIR;
      }
      if (!ratio.hasInterval()) {
        return Verdict.ONE_REPEAT;
      }
      if (adjustedP >= 1 - Statistics.CONFIDENCE) {
        return Verdict.UNDECIDED;
      }
      return ratio.ratio() > 1 ? Verdict.MORE : Verdict.LESS;
    }

    /** Such as {@code 3.1 times, 2.9–3.3}. */
    String times() {
      String times = Figures.figure(ratio.ratio()) + " times";
      return ratio.hasInterval() ? times + ", " + Figures.range(ratio.low(), ratio.high()) : times;
    }
  }

  /** One way to send writes against strong ones. */
  record Row(Group group, Configuration way, Compared throughput, Compared joules) {}

  private final List<Row> rows;

  BufferRatios(BufferGroups buffers) {
    List<Group> groups = new ArrayList<>();
    List<Configuration> ways = new ArrayList<>();
    List<Ratio> speeds = new ArrayList<>();
    List<Ratio> joules = new ArrayList<>();
    for (Group group : buffers.groups()) {
      Configuration strong = group.strong().orElse(null);
      if (strong == null) {
        continue;
      }
      for (Configuration way : group.others()) {
        groups.add(group);
        ways.add(way);
        speeds.add(way.ratioTo(strong, BufferFigures::throughput));
        joules.add(ratio(way, strong, BufferFigures::joules));
      }
    }
    double[] speedP = adjusted(speeds);
    double[] joulesP = adjusted(joules);
    List<Row> all = new ArrayList<>();
    for (int i = 0; i < ways.size(); i++) {
      all.add(
          new Row(
              groups.get(i),
              ways.get(i),
              new Compared(speeds.get(i), speedP[i]),
              new Compared(joules.get(i), joulesP[i])));
    }
    rows = List.copyOf(all);
  }

  List<Row> rows() {
    return rows;
  }

  /** Joules of one origin say nothing against joules of another. */
  private static Ratio ratio(
      Configuration way, Configuration strong, ToDoubleFunction<RunRow> figure) {
    return way.provenance().equals(strong.provenance())
        ? way.ratioTo(strong, figure)
        : Statistics.ratio(new double[0], new double[0]);
  }

  private static double[] adjusted(List<Ratio> ratios) {
    return Statistics.holm(ratios.stream().mapToDouble(Ratio::p).toArray());
  }
}
