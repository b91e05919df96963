package org.calando.core.policy.gear;

import java.util.Locale;

/** Figures in reasons, alike on every machine. */
final class GearWords {
  private GearWords() {}

  /** {@code 1234 ops/s}, in the unit of a model. */
  static String rate(double perSecond, GearModel model) {
    return number(perSecond) + " " + model.unit();
  }

  /** {@code 12.5 %}. */
  static String percent(double share) {
    return number(share * 100) + " %";
  }

  /** In the largest unit that it holds two of: {@code 90 s}, {@code 30 min}, {@code 5 h}. */
  static String time(double seconds) {
    if (!(seconds >= 120)) {
      return number(seconds) + " s";
    }
    return seconds < 7200 ? number(seconds / 60) + " min" : number(seconds / 3600) + " h";
  }

  /** At most one decimal, none that is 0. */
  static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
