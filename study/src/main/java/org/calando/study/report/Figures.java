package org.calando.study.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import org.calando.study.report.Statistics.Estimate;

/** Numbers as text: three significant digits, the same on every machine. */
final class Figures {
  /** Stands for a figure that does not apply or is missing. */
  static final String NONE = "\u2013";

  private static final int DIGITS = 3;

  /** Ends of a range that are further apart each have digits of their own. */
  private static final double FAR_APART = 1000;

  private static final int MOST_CHARS = 500;

  private Figures() {}

  /** Three significant digits, without exponent, and at least all digits before the point. */
  static String figure(double value) {
    return Double.isFinite(value) ? fixed(value, decimals(value, DIGITS)) : NONE;
  }

  /** As short as is exact for integers, else three significant digits. */
  static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.format(Locale.ROOT, "%d", (long) value)
        : figure(value);
  }

  /** A count with its thousands set apart. */
  static String count(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%,d", Math.round(value)) : NONE;
  }

  /** A share from 0 to 1 in percent; a share above 0 never reads as 0. */
  static String percent(double share) {
    if (!Double.isFinite(share)) {
      return NONE;
    }
    double percent = share * 100;
    if (percent == 0 || percent == 100) {
      return plain(percent) + "\u00A0%";
    }
    return percent < 0.001
        ? "<\u00A00.001\u00A0%"
        : fixed(percent, Math.min(3, decimals(percent, 2))) + "\u00A0%";
  }

  /**
   * {@code mean ± half-width}, the half-width with two digits and the mean cut at the same place.
   */
  static String interval(Estimate estimate) {
    if (!estimate.present()) {
      return NONE;
    }
    if (!estimate.hasInterval()) {
      return figure(estimate.mean());
    }
    if (estimate.halfWidth() == 0) {
      return figure(estimate.mean()) + " \u00B1 0";
    }
    int places = Math.min(decimals(estimate.halfWidth(), 2), decimals(estimate.mean(), DIGITS) + 2);
    return fixed(estimate.mean(), places) + " \u00B1 " + fixed(estimate.halfWidth(), places);
  }

  /** The two ends, with digits enough for the larger, or for the smaller if they read the same. */
  static String extent(double low, double high) {
    int places = Math.min(decimals(low, DIGITS), decimals(high, DIGITS));
    String from = fixed(low, places);
    String to = fixed(high, places);
    return from.equals(to) ? range(low, high) : from + NONE + to;
  }

  /** The two ends, with digits enough for the smaller: an end close to 1 is not rounded to it. */
  static String range(double low, double high) {
    if (low > 0 && high / low > FAR_APART) {
      return figure(low) + NONE + figure(high);
    }
    int places = Math.max(decimals(low, DIGITS), decimals(high, DIGITS));
    String from = fixed(low, places);
    String to = fixed(high, places);
    return from.equals(to) ? from : from + NONE + to;
  }

  /** The first 500 characters of words that a run left. */
  static String brief(String text) {
    return text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS) + "\u2026";
  }

  /** All digits worth keeping in a file for machines; empty if there is no value. */
  static String exact(double value) {
    if (!Double.isFinite(value)) {
      return "";
    }
    return new BigDecimal(value).round(new MathContext(9)).stripTrailingZeros().toPlainString();
  }

  private static int decimals(double value, int digits) {
    if (value == 0 || !Double.isFinite(value)) {
      return 0;
    }
    int magnitude = (int) Math.floor(Math.log10(Math.abs(value)));
    return Math.max(0, Math.min(9, digits - 1 - magnitude));
  }

  private static String fixed(double value, int places) {
    if (!Double.isFinite(value)) {
      return NONE;
    }
    BigDecimal rounded = new BigDecimal(value).setScale(places, RoundingMode.HALF_EVEN);
    return rounded.abs().compareTo(BigDecimal.valueOf(10_000)) < 0
        ? rounded.toPlainString()
        : String.format(Locale.ROOT, "%,." + places + "f", rounded);
  }
}
