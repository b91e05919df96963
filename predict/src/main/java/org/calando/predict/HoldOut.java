package org.calando.predict;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;

/**
 * Which configurations a calibration does not see, so that it can be held against them. Immutable.
 */
public final class HoldOut {
  /** How it can be written. */
  public static final String FORMS =
      "each, none, a share as 25%, or COLUMN=PATTERN as workload=check-*";

  private static final Map<String, Function<MeasuredRun, String>> COLUMNS =
      Map.of(
          "run", MeasuredRun::id,
          "study", MeasuredRun::study,
          "workload", MeasuredRun::workload,
          "consistency", run -> run.scenario().levels(),
          "load", run -> run.scenario().load());

  private enum Kind {
    EACH,
    NONE,
    SHARE,
    MATCHING
  }

  private final String text;
  private final Kind kind;
  private final double share;
  private final String column;
  private final Pattern pattern;

  private HoldOut(String text, Kind kind, double share, String column, Pattern pattern) {
    this.text = text;
    this.kind = kind;
    this.share = share;
    this.column = column;
    this.pattern = pattern;
  }

  /**
   * Reads one of the {@link #FORMS}.
   *
   * @throws BadRequestException if it is none
   */
  public static HoldOut parse(String text) {
    Pattern all = Pattern.compile(".*");
    if (text.equals("each")) {
      return new HoldOut(text, Kind.EACH, 0, "", all);
    }
    if (text.equals("none")) {
      return new HoldOut(text, Kind.NONE, 0, "", all);
    }
    int equals = text.indexOf('=');
    if (equals > 0 && COLUMNS.containsKey(text.substring(0, equals))) {
      return new HoldOut(
          text, Kind.MATCHING, 0, text.substring(0, equals), glob(text.substring(equals + 1)));
    }
    if (text.matches("\\d{1,2}(\\.\\d{1,3})?%")) {
      double share = Double.parseDouble(text.substring(0, text.length() - 1)) / 100;
      if (share > 0) {
        return new HoldOut(text, Kind.SHARE, share, "", all);
      }
    }
    throw new BadRequestException(
        "'" + text + "' does not say what to hold out", "--hold-out", "write " + FORMS);
  }

  /** Letters as they are, a star for any of them, a comma between alternatives. */
  private static Pattern glob(String text) {
    List<String> alternatives = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      alternatives.add(Pattern.quote(one).replace("*", "\\E.*\\Q"));
    }
    return Pattern.compile(String.join("|", alternatives));
  }

  /** Whether each configuration is left out in its turn, of a fit to all others. */
  boolean isEach() {
    return kind == Kind.EACH;
  }

  /**
   * The configurations that are held out.
   *
   * @throws BadRequestException if that leaves none to calibrate on, or a pattern matches none
   */
  List<Configuration> of(List<Configuration> configurations, long seed) {
    List<Configuration> out =
        switch (kind) {
          case EACH, NONE -> List.of();
          case SHARE -> some(configurations, seed);
          case MATCHING -> configurations.stream().filter(this::matches).toList();
        };
    if (kind == Kind.MATCHING && out.isEmpty()) {
      throw new BadRequestException(
          "no run matches " + text,
          "--hold-out",
          "name runs that there are, such as "
              + (configurations.isEmpty()
                  ? FORMS
                  : "workload=" + configurations.get(0).runs().get(0).workload()));
    }
    return out;
  }

  private boolean matches(Configuration configuration) {
    return configuration.runs().stream()
        .anyMatch(
            run ->
                pattern
                    .matcher(COLUMNS.getOrDefault(column, MeasuredRun::id).apply(run))
                    .matches());
  }

  private List<Configuration> some(List<Configuration> configurations, long seed) {
    List<Configuration> shuffled = new ArrayList<>(configurations);
    Collections.shuffle(shuffled, new Random(seed));
    int count = (int) Math.max(1, Math.round(share * configurations.size()));
    return shuffled.subList(0, Math.min(count, shuffled.size()));
  }

  @Override
  public String toString() {
    return text;
  }
}
