package org.calando.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.calando.core.BadRequestException;

/**
 * How a load went on, step by step of equal length: what clients ask for, in operations a second.
 * Immutable and thread safe.
 */
public final class LoadTrace {
  /** The first line of a trace's text. */
  public static final String HEADER = "seconds,ops_per_s";

  private static final int MAX_STEPS = 10_000_000;
  private static final String REMEDY =
      "write lines of seconds from the begin and operations a second, each 0 or more, the first at"
          + " 0 and all equally far apart, below the header "
          + HEADER;

  private final long stepNanos;
  private final double[] perSecond;

  private LoadTrace(long stepNanos, double[] perSecond) {
    this.stepNanos = stepNanos;
    this.perSecond = perSecond;
  }

  /**
   * A trace of rates.
   *
   * @param stepNanos for how long each rate holds, above 0
   * @param perSecond the rates, each 0 or more, at least one
   */
  public static LoadTrace of(long stepNanos, double... perSecond) {
    if (stepNanos <= 0 || perSecond.length == 0) {
      throw new IllegalArgumentException(perSecond.length + " steps of " + stepNanos + " ns");
    }
    for (double rate : perSecond) {
      if (!(rate >= 0 && Double.isFinite(rate))) {
        throw new IllegalArgumentException("a rate of " + rate);
      }
    }
    return new LoadTrace(stepNanos, perSecond.clone());
  }

  /**
   * The trace of a text: a header, then lines of seconds from the begin and operations a second.
   * Each rate holds until the next line's time, and the last for as long. Lines that are empty or
   * begin with # are left out.
   *
   * @param where the file, for messages
   * @throws BadRequestException naming the first line that is wrong
   */
  public static LoadTrace parse(String text, String where) {
    double step = 0;
    List<Double> rates = new ArrayList<>();
    String[] lines = text.split("\\R", -1);
    boolean begun = false;
    for (int i = 0; i < lines.length; i++) {
      String line = lines[i].strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String place = where + ", line " + (i + 1);
      if (!begun) {
        begun = requireHeader(line, place);
        continue;
      }
      double[] figures = figures(line, place);
      step = rates.size() == 1 ? figures[0] : step;
      if (Math.abs(figures[0] - step * rates.size()) > 1e-6 * step || rates.size() == MAX_STEPS) {
        throw new BadRequestException("'" + line + "' is not where a step ends", place, REMEDY);
      }
      rates.add(figures[1]);
    }
    long nanos = Math.round(step * 1e9);
    if (rates.size() < 2 || nanos <= 0) {
      throw new BadRequestException("a load trace needs two lines of rates", where, REMEDY);
    }
    return of(nanos, rates.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static boolean requireHeader(String line, String place) {
    if (!line.equals(HEADER)) {
      throw new BadRequestException("'" + line + "' is not the header", place, REMEDY);
    }
    return true;
  }

  private static double[] figures(String line, String place) {
    String[] cells = line.split(",", -1);
    try {
      double seconds = Double.parseDouble(cells[0].strip());
      double rate = cells.length == 2 ? Double.parseDouble(cells[1].strip()) : Double.NaN;
      if (seconds >= 0 && rate >= 0 && Double.isFinite(seconds) && Double.isFinite(rate)) {
        return new double[] {seconds, rate};
      }
    } catch (NumberFormatException e) {
      throw new BadRequestException("'" + line + "' is not two numbers", place, REMEDY);
    }
    throw new BadRequestException("'" + line + "' is not two such numbers", place, REMEDY);
  }

  /** For how long each rate holds, in nanoseconds. */
  public long stepNanos() {
    return stepNanos;
  }

  /** Number of steps. */
  public int steps() {
    return perSecond.length;
  }

  /** Operations a second in a step, from 0. */
  public double perSecond(int step) {
    return perSecond[step];
  }

  /** All rates, to be kept by who asks. */
  public double[] rates() {
    return perSecond.clone();
  }

  /** The greatest rate. */
  public double peak() {
    return Arrays.stream(perSecond).max().orElseThrow();
  }

  /**
   * The same rates in less time: a day within minutes.
   *
   * @param factor how much less, above 0; steps that would be shorter than 1 ns are not allowed
   */
  public LoadTrace compressed(double factor) {
    return of(Math.round(stepNanos / factor), perSecond);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LoadTrace that
        && stepNanos == that.stepNanos
        && Arrays.equals(perSecond, that.perSecond);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(stepNanos) + Arrays.hashCode(perSecond);
  }
}
