package org.calando.core.policy;

import java.util.Locale;

/** Figures in reasons, alike on every machine. */
public final class Words {
  private Words() {}

  /** Three significant digits in percent: {@code 12.3 %}. */
  public static String percent(double share) {
    return number(share * 100) + " %";
  }

  /** Three significant digits, and no zeros that say nothing. */
  public static String number(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return value == 0 ? "0" : String.valueOf(value);
    }
    double magnitude = Math.abs(value);
    if (magnitude < 1e-6 || magnitude >= 1e9) {
      return String.format(Locale.ROOT, "%.2e", value);
    }
    int decimals = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3;
    for (double bound = 0.1; decimals >= 3 && magnitude < bound; bound /= 10) {
      decimals++;
    }
    String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
    if (text.indexOf('.') < 0) {
      return text;
    }
    int end = text.length();
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
  }

  /** {@code 1 replica}, {@code 2 replicas}. */
  public static String replicas(int count) {
    return count == 1 ? "1 replica" : count + " replicas";
  }

  /** {@code 2 replicas}, or {@code 2 replicas and 37.5 % of the reads one more}. */
  public static String choice(ReadChoice choice) {
    String text = replicas(choice.replicas());
    return choice.shareAbove() == 0
        ? text
        : text + ", one more for " + percent(choice.shareAbove()) + " of the reads";
  }

  /** Seconds of nanoseconds. */
  public static String seconds(long nanos) {
    return number(nanos / 1e9) + " s";
  }
}
