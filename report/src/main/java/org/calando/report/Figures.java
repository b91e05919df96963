package org.calando.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import org.calando.report.Statistics.Estimate;

/** Numbers as text: three significant digits, the same on every machine. */
public final class Figures {
  /** Stands for a figure that does not apply or is missing. */
  public static final String NONE = "\u2013";

  private static final int DIGITS = 3;

  /** Ends of a range that are further apart each have digits of their own. */
  private static final double FAR_APART = 1000;

  private static final String PLUS_MINUS = " \u00B1 ";

  /** Thousands, millions and so on. */
  private static final String LARGE = "kMGTP";

  private static final int MOST_CHARS = 500;

  private Figures() {}

  /** Three significant digits, without exponent, and at least all digits before the point. */
  public static String figure(double value) {
    return Double.isFinite(value) ? fixed(value, decimals(value, DIGITS)) : NONE;
  }

  /** As short as is exact for integers, else three significant digits. */
  public static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.format(Locale.ROOT, "%d", (long) value)
        : figure(value);
  }

  /** A count with its thousands set apart. */
  public static String count(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%,d", Math.round(value)) : NONE;
  }

  /** A share from 0 to 1 in percent; a share above 0 never reads as 0. */
  public static String percent(double share) {
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
  public static String interval(Estimate estimate) {
    if (!estimate.present()) {
      return NONE;
    }
    if (!estimate.hasInterval()) {
      return figure(estimate.mean());
    }
    if (estimate.halfWidth() == 0) {
      return figure(estimate.mean()) + PLUS_MINUS + "0";
    }
    int places = Math.min(decimals(estimate.halfWidth(), 2), decimals(estimate.mean(), DIGITS) + 2);
    return fixed(estimate.mean(), places) + PLUS_MINUS + fixed(estimate.halfWidth(), places);
  }

  /** {@link #interval(Estimate)} with fewer digits where that is wider than so many characters. */
  public static String interval(Estimate estimate, int width) {
    String text = interval(estimate);
    if (!estimate.hasInterval()) {
      return within(estimate.mean(), width);
    }
    double half = estimate.halfWidth();
    int least = decimals(estimate.mean(), DIGITS);
    for (int places = decimals(half, 2); text.length() > width && places >= least; places--) {
      text = fixed(estimate.mean(), places) + PLUS_MINUS + atLeast(half, places);
    }
    int each = (width - PLUS_MINUS.length()) / 2;
    return text.length() <= width
        ? text
        : within(estimate.mean(), each) + PLUS_MINUS + within(half, each);
  }

  /** What is not 0 never reads as 0. */
  private static String atLeast(double value, int places) {
    BigDecimal step = BigDecimal.ONE.movePointLeft(places);
    boolean less = value > 0 && Double.parseDouble(fixed(value, places).replace(",", "")) == 0;
    return less ? "<" + step.toPlainString() : fixed(value, places);
  }

  /**
   * {@link #figure} in so many characters, five or more: larger figures are in thousands (k),
   * millions (M) and so on, smaller ones have fewer digits.
   */
  public static String within(double value, int width) {
    String text = figure(value);
    if (text.length() <= width) {
      return text;
    }
    double scaled = value;
    int power = 0;
    while (Math.abs(scaled) >= 999.5 && power < LARGE.length()) {
      scaled /= 1000;
      power++;
    }
    if (power > 0) {
      String large = figure(scaled) + LARGE.charAt(power - 1);
      return large.length() <= width ? large : ">999" + LARGE.charAt(LARGE.length() - 1);
    }
    for (int places = width; places > 0; places--) {
      text = fixed(value, places);
      if (text.length() <= width) {
        return Double.parseDouble(text) == 0 ? "<0." + "0".repeat(width - 4) + "1" : text;
      }
    }
    return fixed(value, 0);
  }

  /**
   * A ratio in at most six characters: three significant digits, more only close to 1, and less
   * than 0.001 or more than 999 as just that.
   */
  public static String ratio(double ratio) {
    if (!Double.isFinite(ratio)) {
      return NONE;
    }
    if (ratio == 1) {
      return "1";
    }
    if (ratio < 0.001) {
      return "<0.001";
    }
    if (ratio >= 999.5) {
      return ">999";
    }
    return ratio < 0.01 || Math.abs(ratio - 1) < 0.005 ? fixed(ratio, 4) : figure(ratio);
  }

  /** The ends of a ratio's interval. */
  public static String ratios(double low, double high) {
    String from = ratio(low);
    String to = ratio(high);
    return from.equals(to) ? from : from + NONE + to;
  }

  /** A difference with its sign, in at most seven characters. */
  public static String difference(double value) {
    if (!Double.isFinite(value)) {
      return NONE;
    }
    double size = Math.abs(value);
    String sign = value < 0 ? "\u2212" : "+";
    if (size > 0 && size < 0.001) {
      return (value < 0 ? ">" : "<") + sign + "0.001";
    }
    return sign + (size > 0 && size < 0.01 ? fixed(size, 4) : within(size, 6));
  }

  /** The two ends, with digits enough for the larger, or for the smaller if they read the same. */
  public static String extent(double low, double high) {
    int places = Math.min(decimals(low, DIGITS), decimals(high, DIGITS));
    String from = fixed(low, places);
    String to = fixed(high, places);
    return from.equals(to) ? range(low, high) : from + NONE + to;
  }

  /** The two ends, with digits enough for the smaller: an end close to 1 is not rounded to it. */
  public static String range(double low, double high) {
    if (low > 0 && high / low > FAR_APART) {
      return figure(low) + NONE + figure(high);
    }
    int places = Math.max(decimals(low, DIGITS), decimals(high, DIGITS));
    String from = fixed(low, places);
    String to = fixed(high, places);
    return from.equals(to) ? from : from + NONE + to;
  }

  /** The first 500 characters of words that a run left. */
  public static String brief(String text) {
    return text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS) + "\u2026";
  }

  /** All digits worth keeping in a file for machines; empty if there is no value. */
  public static String exact(double value) {
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
