package org.calando.papers;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.calando.report.PublishedClaim.Kind;
import org.calando.report.RunRow;

/** Something that a paper published and a study can find out. Immutable. */
sealed interface Claim {
  /** Where the paper says it; what follows the last comma is a figure, a table or a section. */
  String source();

  /** The published figure: a ratio, a share, or a level in the unit of its figure. */
  double published();

  /** What to mind; may be empty. */
  String note();

  /** Whether it is left out where a study has nothing to say of it. */
  default boolean isAside() {
    return false;
  }

  /** Why a verdict on simulated runs is no evidence; empty if it is. */
  default String simulatedNote() {
    return "";
  }

  /**
   * A point of a study's matrix.
   *
   * @param workload the mix, by its preset; empty for all of them together
   * @param level of reads and writes, as results name it
   * @param threads of the closed loop, as published; 0 for all of them together
   * @param layout the token layout
   */
  record Point(String workload, String level, int threads, String layout) {
    /** What layouts are compared to. */
    static final String EVEN = "even";

    Point(String workload, String level, int threads) {
      this(workload, level, threads, EVEN);
    }

    /** All mixes and loads of a level. */
    static Point all(String level) {
      return new Point("", level, 0);
    }

    boolean isAll() {
      return threads == 0;
    }

    Point withWorkload(String other) {
      return new Point(other, level, threads, layout);
    }

    Point withLevel(String other) {
      return new Point(workload, other, threads, layout);
    }

    Point withThreads(int other) {
      return new Point(workload, level, other, layout);
    }

    Point withLayout(String other) {
      return new Point(workload, level, threads, other);
    }
  }

  /**
   * A figure of runs.
   *
   * @param words what it is, such as {@code energy}
   * @param of reads it; NaN if a run has none
   * @param isEnergy whether it says nothing against a figure of other provenance
   * @param kind what it is by itself
   */
  record Figure(String words, ToDoubleFunction<RunRow> of, boolean isEnergy, Kind kind) {}

  /** A ratio of two points. */
  sealed interface Ratio extends Claim {
    Figure figure();

    Point over();

    Point under();

    @Override
    default boolean isAside() {
      return !over().layout().equals(under().layout());
    }
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
      implements Ratio {
    @Override
    public String simulatedNote() {
      return over.isAll() && figure.isEnergy()
          ? "fitted: the simulator's service times were chosen by it"
          : "";
    }
  }

  /** A figure at a point over its mean of all mixes and loads at the same level. */
  record OverMean(Figure figure, Point at, double published, String source, String note)
      implements Claim {
    @Override
    public boolean isAside() {
      return true;
    }
  }

  /** Two points differ in a figure by no more than a little. */
  record Flat(Figure figure, Point over, Point under, double published, String source, String note)
      implements Ratio {}

  /**
   * A figure has some height at a point.
   *
   * @param isAside whether a study without it need not mention it
   */
  record Level(
      Figure figure, Point at, double published, boolean isAside, String source, String note)
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

    @Override
    public String simulatedNote() {
      return "by construction: the simulator's reads at these levels meet every acknowledged write";
    }
  }

  /** One point has a share less of a figure than another, which may be all of it. */
  record Fewer(Figure figure, Point of, Point than, double published, String source, String note)
      implements Claim {}

  /**
   * A figure grows along chains of points, or at least does not fall.
   *
   * @param words what is in order
   * @param chains each of two points or more, from the least to the most
   */
  record Order(String words, Figure figure, List<List<Point>> chains, String source, String note)
      implements Claim {
    public Order {
      chains = chains.stream().map(List::copyOf).toList();
    }

    /** All neighbouring pairs are in order. */
    @Override
    public double published() {
      return 1;
    }
  }
}
