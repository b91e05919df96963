package org.calando.studyfile;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.number;
import static org.calando.schema.Types.scalarOrMapping;

import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Values;
import org.calando.sim.kernel.Distribution;

/** How times that vary are written: a duration, or its mean and how it varies. */
public final class TimeType {
  private static final ScalarType<Long> DURATION = duration(0, 3_600_000_000_000L);

  /** What varies less can no longer be told from what does not, nor worked out. */
  private static final double LEAST_VARIATION = 1e-4;

  private enum Form {
    GAMMA,
    LOGNORMAL
  }

  private static final Key<Long> MEAN =
      Key.of("mean", DURATION, "The mean.").mandatory().example("2.42ms");
  private static final Key<Double> VARIATION =
      Key.of(
              "variation",
              number(0, 100),
              "Standard deviation over mean, of what is above least: 0 is always the same, 1 with"
                  + " gamma is exponential.")
          .byDefault("0")
          .example("0.25");
  private static final Key<Form> FORM =
      Key.of(
              "form",
              choice("a form", Names.inOrder("gamma", Form.GAMMA, "lognormal", Form.LOGNORMAL)),
              "Of the distribution above least.")
          .byDefault("gamma")
          .example("lognormal");
  private static final Key<Long> LEAST =
      Key.of("least", DURATION, "Minimum of all times; at most the mean.")
          .byDefault("0ms")
          .example("0.1ms");

  private static final ObjectType<Distribution> MAPPING =
      ObjectType.named("a time that varies", "A distribution of times.")
          .keys(MEAN, VARIATION, FORM, LEAST)
          .check(TimeType::check)
          .build(TimeType::distribution);

  /** A constant time, or a distribution. */
  public static final Type<Distribution> TYPE =
      scalarOrMapping(mapped(DURATION, nanos -> Distribution.constant(nanos)), MAPPING);

  private TimeType() {}

  private static void check(Values time) {
    long least = time.find(LEAST).orElse(0L);
    time.find(MEAN)
        .filter(mean -> least > mean)
        .ifPresent(mean -> time.error(LEAST, "is more than the mean", "write at most the mean"));
    time.find(VARIATION)
        .filter(variation -> variation > 0 && variation < LEAST_VARIATION)
        .ifPresent(
            variation -> time.error(VARIATION, "is too little", "write 0, or 0.0001 or more"));
  }

  private static Distribution distribution(Values time) {
    long least = time.get(LEAST);
    double variation = time.get(VARIATION);
    double mean = time.get(MEAN) - least;
    if (variation == 0) {
      return Distribution.constant(mean + least);
    }
    Distribution above;
    if (time.get(FORM) == Form.LOGNORMAL) {
      above = Distribution.lognormal(mean, variation);
    } else {
      above =
          variation == 1
              ? Distribution.exponential(mean)
              : Distribution.gamma(mean, 1 / (variation * variation));
    }
    return least == 0 ? above : above.plus((double) least);
  }
}
