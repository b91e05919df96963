package org.calando.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.calando.report.column.RunColumns;

/**
 * What a configuration's requests were: engine, workload, and the loop. Immutable.
 *
 * @param amount threads of a closed loop, or operations per second of an open one; NaN if not given
 * @param arrivals how an open loop's operations arrive, as the study's file says; empty if not
 *     given
 * @param named whether labels tell engine and workload, because the study has several
 */
public record Load(
    String engine, String workload, Kind kind, double amount, String arrivals, boolean named) {
  /** How requests begin. */
  public enum Kind {
    /** A thread sends its next request when the last one has ended. */
    CLOSED("closed loop"),
    /** Requests begin at a given rate, whatever becomes of earlier ones. */
    OPEN("open loop"),
    UNKNOWN("load not stated");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** Such as {@code open loop}. */
    public String words() {
      return words;
    }
  }

  /**
   * The load of a run.
   *
   * @param named whether labels tell engine and workload, because the study has several
   */
  public static Load of(RunRow row, boolean named) {
    Kind kind = Kind.UNKNOWN;
    double amount = Double.NaN;
    if (!row.text(RunColumns.THREADS).isEmpty()) {
      kind = Kind.CLOSED;
      amount = row.number(RunColumns.THREADS);
    } else if (!row.firstOf(RunColumns.RATE, RunColumns.INTENDED_RATE).isEmpty()) {
      kind = Kind.OPEN;
      amount =
          row.number(
              row.text(RunColumns.INTENDED_RATE).isEmpty()
                  ? RunColumns.RATE
                  : RunColumns.INTENDED_RATE);
    }
    String arrivals = Double.isNaN(row.number(RunColumns.RATE)) ? row.text(RunColumns.RATE) : "";
    return new Load(
        row.text(RunColumns.ENGINE), row.text(RunColumns.WORKLOAD), kind, amount, arrivals, named);
  }

  /** The same, telling its engine only if that tells it from others. */
  Load withEngine(boolean told) {
    return told ? this : new Load("", workload, kind, amount, arrivals, named);
  }

  /** Such as {@code closed loop, 4 threads}. */
  public String label() {
    List<String> parts = new ArrayList<>();
    if (!owner().isEmpty()) {
      parts.add(owner());
    }
    parts.add(loop());
    return String.join(" \u00B7 ", parts);
  }

  /** Engine and workload, as far as they tell it from other loads; may be empty. */
  public String owner() {
    return named ? (engine + " " + workload).strip() : "";
  }

  /** Such as {@code 4 thr} or {@code 400/s}. */
  public String shortLabel() {
    return switch (kind) {
      case CLOSED -> Figures.plain(amount) + " thr";
      case OPEN -> Double.isNaN(amount) ? "open" : Figures.plain(amount) + "/s";
      case UNKNOWN -> "";
    };
  }

  /** A phrase that begins a sentence. */
  String phrase() {
    String text =
        switch (kind) {
          case CLOSED -> "in a closed loop of " + threads();
          case OPEN -> "in an open loop at " + rate();
          case UNKNOWN -> "under a load that is not stated";
        };
    return owner().isEmpty() ? text : text + " (" + owner() + ")";
  }

  private String loop() {
    return switch (kind) {
      case CLOSED -> kind.words() + ", " + threads();
      case OPEN -> kind.words() + ", " + rate();
      case UNKNOWN -> kind.words();
    };
  }

  private String rate() {
    if (!arrivals.isEmpty()) {
      return arrivals;
    }
    return Double.isNaN(amount) ? "a rate that is not stated" : Figures.plain(amount) + "/s";
  }

  private String threads() {
    return Figures.plain(amount) + (amount == 1 ? " thread" : " threads");
  }

  /** The phrase with a capital first letter. */
  public static String sentence(String phrase) {
    return phrase.substring(0, 1).toUpperCase(Locale.ROOT) + phrase.substring(1);
  }
}
