package org.calando.report;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/*
 * Labels list what a configuration is, from the read level on, so their ends tell rows of a table apart more often than
 * their beginnings do. What all rows begin with is left out first, and then the beginning of those that are too wide.
 */
/**
 * Labels in a column's width, of which no two become equal. Immutable.
 *
 * @param common what all labels begin with and none has in its name; may be empty
 * @param names each label's name
 */
public record ShortLabels(String common, Map<String, String> names) {
  private static final String ELLIPSIS = "\u2026";

  /**
   * The names of labels.
   *
   * @param width in characters, 8 or more
   */
  public static ShortLabels of(Collection<String> labels, int width) {
    List<String> all = labels.stream().distinct().toList();
    int common = 0;
    for (String end : List.of(", ", " ")) {
      int from = common;
      if (all.stream().anyMatch(label -> label.length() - from > width)) {
        common = common(all, end);
      }
    }
    String begin = all.isEmpty() ? "" : all.get(0).substring(0, common);
    List<String> rests = all.stream().map(label -> label.substring(begin.length())).toList();
    List<String> names =
        IntStream.of(0, width / 2, width - 1)
            .mapToObj(kept -> rests.stream().map(rest -> cut(rest, kept, width)).toList())
            .filter(cut -> Set.copyOf(cut).size() == all.size())
            .findFirst()
            .orElseGet(() -> numbered(rests, width));
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      map.put(all.get(i), names.get(i));
    }
    return new ShortLabels(begin, map);
  }

  /** A label's name; an unknown label's is the label. */
  public String name(String label) {
    return names.getOrDefault(label, label);
  }

  /** What a reader of the names should know; empty if they are whole at their beginning. */
  public String note() {
    return common.isEmpty() ? "" : "All rows: " + common.replaceAll(",? $", "") + ".";
  }

  /** How many characters all labels begin with, up to an end; each label has more than these. */
  private static int common(List<String> labels, String end) {
    String first = labels.get(0);
    int length = labels.size() < 2 ? 0 : first.length();
    for (String label : labels) {
      length = Math.min(length, label.length());
      while (!label.startsWith(first.substring(0, length))) {
        length--;
      }
    }
    int last = first.substring(0, length).lastIndexOf(end);
    return last < 0 ? 0 : last + end.length();
  }

  /** Keeps so many characters of the beginning, and of the end what else there is room for. */
  private static String cut(String label, int kept, int width) {
    int end = label.length() - (width - 1 - kept);
    return label.length() <= width
        ? label
        : label.substring(0, kept) + ELLIPSIS + label.substring(end);
  }

  private static List<String> numbered(List<String> labels, int width) {
    Set<String> taken = new HashSet<>();
    return labels.stream().map(label -> numbered(label, width, taken)).toList();
  }

  private static String numbered(String label, int width, Set<String> taken) {
    String name = cut(label, 0, width);
    for (int i = 2; !taken.add(name); i++) {
      name = cut(label, 0, width - 1 - String.valueOf(i).length()) + "#" + i;
    }
    return name;
  }
}
