package org.calando.predict;

import java.util.List;
import java.util.Locale;
import org.calando.schema.Units;

/** Words and figures for terminals of 80 columns. */
final class ReportLines {
  private static final int WIDTH = 79;

  private ReportLines() {}

  /** A figure of four digits; a dash for none. */
  static String figure(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    return value == 0
        ? "0"
        : Units.formatNumber(Double.parseDouble(String.format(Locale.ROOT, "%.4g", value)));
  }

  /** Adds a text in lines that fit. */
  static void wrap(List<String> lines, String text) {
    StringBuilder line = new StringBuilder();
    for (String word : text.replaceAll("\\p{Cntrl}+", " ").split(" +", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line.setLength(0);
        line.append("  ");
      } else if (!line.isEmpty()) {
        line.append(' ');
      }
      line.append(word, 0, Math.min(word.length(), WIDTH - 2));
    }
    lines.add(line.toString());
  }

  /** A text cut to a width. */
  static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 1) + "~";
  }
}
