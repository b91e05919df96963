package org.calando.study.paper;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.calando.study.report.RunRow;

/** Something that a paper published and a study can find out. Immutable. */
sealed interface Claim {
  /** Where the paper says it. */
  String source();

  /** The published figure: a ratio, or a share. */
  double published();

  /** What to mind; may be empty. */
  String note();

  /**
   * A point of a study's matrix.
   *
   * @param workload the mix, by its preset
   * @param level of reads and writes
   * @param threads of the closed loop, as published
   */
  record Point(String workload, String level, int threads) {
    Point withWorkload(String other) {
      return new Point(other, level, threads);
    }

    Point withLevel(String other) {
      return new Point(workload, other, threads);
    }

    Point withThreads(int other) {
      return new Point(workload, level, other);
    }
  }

  /**
   * A figure of runs.
   *
   * @param words what it is, such as {@code energy}
   * @param of reads it; NaN if a run has none
   * @param isEnergy whether it says nothing against a figure of other provenance
   */
  record Figure(String words, ToDoubleFunction<RunRow> of, boolean isEnergy) {}

  /** A ratio of two points. */
  sealed interface Ratio extends Claim {
    Figure figure();

    Point over();

    Point under();
  }

  /**
   * One point has more or less of a figure than another.
   *
   * @param finding which of the paper's findings it belongs to; verdicts are corrected over each
   */
  record Effect(
      String finding,
      Figure figure,
      Point over,
      Point under,
      double published,
      String source,
      String note)
      implements Ratio {}

  /** Two points differ in a figure by no more than a little. */
  record Flat(Figure figure, Point over, Point under, double published, String source, String note)
      implements Ratio {}

  /** A figure has some height at a point. */
  record Level(Figure figure, Point at, double published, String source, String note)
      implements Claim {}

  /** A figure has some height or more in some case at a level. */
  record SomewhereAtLeast(Figure figure, String level, double published, String source, String note)
      implements Claim {}

  /** Reads at some levels are never stale. */
  record NeverStale(List<String> levels, String source, String note) implements Claim {
    @Override
    public double published() {
      return 0;
    }
  }
}
