package org.calando.schema;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers with units: durations, sizes, rates and shares. */
public final class Units {
  static final String DURATION = "\\d+(\\.\\d+)?(ns|us|ms|s|m|h)";
  static final String SIZE = "\\d+(\\.\\d+)?(B|KB|MB|GB)";
  static final String RATE = "\\d+(\\.\\d+)?/(s|m|h)";
  static final String SHARE = "\\d+(\\.\\d+)?%?";

  private static final Pattern QUANTITY = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,12})?)\\s?(\\S*)");
  private static final Map<String, Long> NANOS =
      ordered("h", 3_600_000_000_000L, "m", 60_000_000_000L, "s", 1_000_000_000L)
          .and("ms", 1_000_000L, "us", 1_000L, "ns", 1L)
          .map();
  private static final Map<String, Long> BYTES =
      ordered("GB", 1L << 30, "MB", 1L << 20, "KB", 1L << 10)
          .and("B", 1L, "", 1L, "GiB", 1L << 30)
          .and("MiB", 1L << 20, "KiB", 1L << 10, "kB", 1L << 10)
          .map();

  private Units() {}

  private record Table(Map<String, Long> map) {
    Table and(String a, long x, String b, long y, String c, long z) {
      map.put(a, x);
      map.put(b, y);
      map.put(c, z);
      return this;
    }
  }

  private static Table ordered(String a, long x, String b, long y, String c, long z) {
    return new Table(new LinkedHashMap<>()).and(a, x, b, y, c, z);
  }

  /** A duration such as {@code 5ms}, in nanoseconds. */
  static long nanos(String text) throws Refusal {
    if (text.equals("0")) {
      return 0;
    }
    return whole(text, NANOS, "is not a duration", "write it with its unit: 5ms, 20s, 2m");
  }

  /** A size such as {@code 256MB}, in bytes; KB, MB and GB are powers of 1024. */
  static long bytes(String text) throws Refusal {
    return whole(text, BYTES, "is not a size", "write it with its unit: 100B, 1KB, 256MB");
  }

  /** A rate such as {@code 400/s}, per second. */
  static double perSecond(String text) throws Refusal {
    Refusal refusal = new Refusal("is not a rate", "write operations per time: 400/s, 12000/m");
    int slash = text.indexOf('/');
    Matcher matcher = QUANTITY.matcher(slash < 0 ? "" : text.substring(0, slash));
    if (!matcher.matches() || !matcher.group(2).isEmpty()) {
      throw refusal;
    }
    double amount = Double.parseDouble(matcher.group(1));
    return switch (text.substring(slash + 1)) {
      case "s" -> amount;
      case "m", "min" -> amount / 60;
      case "h" -> amount / 3600;
      default -> throw refusal;
    };
  }

  /** A share such as {@code 20%} or {@code 0.2}, as 0 .. 1. */
  static double share(String text) throws Refusal {
    Matcher matcher = QUANTITY.matcher(text);
    boolean percent = text.endsWith("%");
    if (!matcher.matches() || !matcher.group(2).equals(percent ? "%" : "")) {
      throw new Refusal("is not a share", "write 0.2 or 20%");
    }
    BigDecimal number = new BigDecimal(matcher.group(1));
    double share = (percent ? number.movePointLeft(2) : number).doubleValue();
    if (share > 1) {
      throw new Refusal(
          "is more than 100 %", percent ? "write at most 100%" : remedy(matcher.group(1)));
    }
    return share;
  }

  /** What is above 1 without a sign is most often meant in percent. */
  private static String remedy(String number) {
    BigDecimal percent = new BigDecimal(number);
    return percent.compareTo(BigDecimal.valueOf(100)) > 0
        ? "write 0.2 or 20%"
        : "write "
            + number
            + "% or "
            + percent.movePointLeft(2).stripTrailingZeros().toPlainString();
  }

  private static long whole(String text, Map<String, Long> units, String what, String remedy)
      throws Refusal {
    Matcher matcher = QUANTITY.matcher(text);
    Long unit = matcher.matches() ? units.get(matcher.group(2)) : null;
    if (unit == null) {
      throw new Refusal(what, remedy);
    }
    BigDecimal amount = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
    if (amount.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new Refusal("is too large", remedy);
    }
    return amount.setScale(0, RoundingMode.HALF_UP).longValueExact();
  }

  /** The shortest exact text of a duration. */
  public static String formatNanos(long nanos) {
    return nanos == 0 ? "0ms" : format(nanos, NANOS);
  }

  /** The shortest exact text of a size. */
  public static String formatBytes(long bytes) {
    return format(bytes, BYTES);
  }

  /** The text of a rate. */
  public static String formatRate(double perSecond) {
    return formatNumber(perSecond) + "/s";
  }

  /** The shortest text of a number that is read as the same number. */
  public static String formatNumber(double number) {
    return new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString();
  }

  private static String format(long amount, Map<String, Long> units) {
    for (Map.Entry<String, Long> unit : units.entrySet()) {
      if (amount % unit.getValue() == 0 && amount >= unit.getValue()) {
        return amount / unit.getValue() + unit.getKey();
      }
    }
    return amount + "B";
  }
}
