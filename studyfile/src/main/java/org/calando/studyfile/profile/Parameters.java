package org.calando.studyfile.profile;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** A value above 0 for each {@link Parameter}. Immutable and thread safe. */
public final class Parameters {
  private static final double LEAST = 1e-9;

  private final Optional<StageThreads> stages;
  private final double[] logs;

  private Parameters(Optional<StageThreads> stages, double... logs) {
    this.stages = stages;
    this.logs = logs;
  }

  /** The usual values. */
  public static Parameters usual() {
    double[] logs = new double[Parameter.every().size()];
    for (Parameter parameter : Parameter.every()) {
      logs[parameter.place()] = StrictMath.log(parameter.usual());
    }
    return new Parameters(Optional.empty(), logs);
  }

  /** The same of nodes with stages of so many threads, or without. */
  public Parameters with(Optional<StageThreads> threads) {
    return new Parameters(threads, logs);
  }

  /** Threads of stages, where nodes have such. */
  public Optional<StageThreads> stages() {
    return stages;
  }

  /**
   * Given values; those that are not given are the usual ones.
   *
   * @throws IllegalArgumentException if one is not above 0 and finite
   */
  public static Parameters of(Map<Parameter, Double> values) {
    Parameters all = usual();
    for (Map.Entry<Parameter, Double> entry : values.entrySet()) {
      all = all.with(entry.getKey(), entry.getValue());
    }
    return all;
  }

  /**
   * Values whose logarithms are given in the order of {@link Parameter#every}; those that are not
   * given are the usual ones. Without stages.
   */
  public static Parameters ofLogs(double... logs) {
    double[] within = usual().logs();
    System.arraycopy(logs, 0, within, 0, logs.length);
    for (Parameter parameter : Parameter.every()) {
      int place = parameter.place();
      double most = StrictMath.log(parameter.most());
      within[place] = Math.max(StrictMath.log(LEAST), Math.min(most, within[place]));
    }
    return new Parameters(Optional.empty(), within);
  }

  /** The same with another value of one. */
  public Parameters with(Parameter parameter, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(parameter.key() + " " + value + " is not above 0");
    }
    double[] changed = logs.clone();
    changed[parameter.place()] = StrictMath.log(value);
    return ofLogs(changed).with(stages);
  }

  /** The value of one, in its {@link Parameter#unit}. */
  public double get(Parameter parameter) {
    return StrictMath.exp(logs[parameter.place()]);
  }

  /** A time of {@link Parameter} in ms, as nanoseconds. */
  public double nanos(Parameter parameter) {
    return get(parameter) * 1e6;
  }

  /** The natural logarithms, in the order of {@link #ofLogs}. */
  public double[] logs() {
    return logs.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Parameters that
        && stages.equals(that.stages)
        && Arrays.equals(logs, that.logs);
  }

  @Override
  public int hashCode() {
    return 31 * stages.hashCode() + Arrays.hashCode(logs);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Parameter parameter : Parameter.of(stages)) {
      text.append(text.isEmpty() ? "" : ", ")
          .append("%s %.4g %s".formatted(parameter.key(), get(parameter), parameter.unit()));
    }
    return text.toString();
  }
}
