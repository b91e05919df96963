package org.calando.power.host;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the text in which programs show their metrics to Prometheus: {@code name{label="value",...}
 * number [timestamp]}, a line each. Lines that are not of that form are passed over, as are
 * comments, timestamps and exemplars.
 */
final class Exposition {
  private static final int MOST_LABELS = 64;

  private final String line;
  private int at;

  private Exposition(String line) {
    this.line = line;
  }

  /** Takes what a page shows. */
  @FunctionalInterface
  interface Visitor {
    /**
     * One metric.
     *
     * @param name its name
     * @param labels its labels
     * @param value may be NaN or infinite
     */
    void sample(String name, Map<String, String> labels, double value);
  }

  /** Reads a page. */
  static void read(String page, Visitor visitor) {
    int start = 0;
    while (start < page.length()) {
      int end = page.indexOf('\n', start);
      end = end < 0 ? page.length() : end;
      if (page.charAt(start) != '#') {
        new Exposition(page.substring(start, end)).sample(visitor);
      }
      start = end + 1;
    }
  }

  private void sample(Visitor visitor) {
    skipBlanks();
    String name = word();
    Map<String, String> labels = new LinkedHashMap<>();
    skipBlanks();
    if (name.isEmpty() || (peek() == '{' && !labels(labels))) {
      return;
    }
    skipBlanks();
    int end = at;
    while (end < line.length() && !isBlank(line.charAt(end))) {
      end++;
    }
    try {
      visitor.sample(name, labels, number(line.substring(at, end)));
    } catch (NumberFormatException e) {
      // Not a metric's line.
    }
  }

  private boolean labels(Map<String, String> labels) {
    at++;
    while (labels.size() <= MOST_LABELS) {
      skipBlanks();
      if (peek() == '}') {
        at++;
        return true;
      }
      String name = word();
      skipBlanks();
      if (name.isEmpty() || !take('=')) {
        return false;
      }
      skipBlanks();
      if (!take('"') || !quoted(labels, name)) {
        return false;
      }
      skipBlanks();
      if (!take(',') && peek() != '}') {
        return false;
      }
    }
    return false;
  }

  private boolean quoted(Map<String, String> labels, String name) {
    StringBuilder value = new StringBuilder();
    while (at < line.length()) {
      char c = line.charAt(at++);
      if (c == '"') {
        return labels.put(name, value.toString()) == null;
      }
      if (c == '\\' && at < line.length()) {
        char escaped = line.charAt(at++);
        value.append(escaped == 'n' ? '\n' : escaped);
      } else {
        value.append(c);
      }
    }
    return false;
  }

  private String word() {
    int start = at;
    while (at < line.length() && isWord(line.charAt(at))) {
      at++;
    }
    return line.substring(start, at);
  }

  private boolean take(char expected) {
    boolean there = peek() == expected;
    at += there ? 1 : 0;
    return there;
  }

  private char peek() {
    return at < line.length() ? line.charAt(at) : '\0';
  }

  private void skipBlanks() {
    while (at < line.length() && isBlank(line.charAt(at))) {
      at++;
    }
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
  }

  private static boolean isWord(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == ':';
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> plainNumber(text);
    };
  }

  private static double plainNumber(String text) {
    // Java also takes 1d, 0x1p3 and "Infinity", which no exporter writes.
    if (!text.equals("NaN") && !text.matches("[-+]?[0-9.]+([eE][-+]?[0-9]+)?")) {
      throw new NumberFormatException(text);
    }
    return Double.parseDouble(text);
  }
}
