package org.calando.knob.buffer;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.report.ValueOrder;
import org.calando.report.column.Column;
import org.calando.report.column.RunColumns;

/**
 * Orders how writes are sent, by its label: strong, then buffers from the smallest and quickest on,
 * then those that a policy chooses, from the shortest promise on.
 */
public final class BufferOrder implements ValueOrder {
  static final String STRONG = "strong";

  /** How labels begin of what a policy chooses. */
  static final String FRESH = "fresh ";

  private static final Pattern SIZE = Pattern.compile("\\b(\\d+(?:\\.\\d+)?)(B|KB|MB|GB)\\b");
  private static final Pattern TIME = Pattern.compile("\\b(\\d+(?:\\.\\d+)?)(ns|us|ms|s|m|h)\\b");
  private static final List<String> SIZES = List.of("B", "KB", "MB", "GB");
  private static final List<String> TIMES = List.of("ns", "us", "ms", "s");

  private static final Comparator<String> OF_LABELS =
      Comparator.<String>comparingInt(BufferOrder::kind)
          .thenComparingDouble(label -> first(SIZE, label))
          .thenComparingDouble(label -> first(TIME, label))
          .thenComparing(Comparator.naturalOrder());

  @Override
  public Column column() {
    return RunColumns.WRITE_BUFFER;
  }

  @Override
  public int compare(String one, String other) {
    return OF_LABELS.compare(one, other);
  }

  private static int kind(String label) {
    if (label.isEmpty() || label.equals(STRONG)) {
      return 0;
    }
    return label.startsWith("deferred") ? 1 : 2;
  }

  /** The first figure with such a unit, in its smallest unit; 0 if there is none. */
  private static double first(Pattern pattern, String label) {
    Matcher matcher = pattern.matcher(label);
    return matcher.find() ? Double.parseDouble(matcher.group(1)) * unit(matcher.group(2)) : 0;
  }

  private static double unit(String unit) {
    if (SIZES.contains(unit)) {
      return Math.pow(1024, SIZES.indexOf(unit));
    }
    return switch (unit) {
      case "m" -> 60e9;
      case "h" -> 3600e9;
      default -> Math.pow(1000, TIMES.indexOf(unit));
    };
  }
}
