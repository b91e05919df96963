package org.calando.report.page;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Writes HTML whose text and attribute values are always escaped. Elements close in the order of
 * their opening, or the writer throws. Not thread safe.
 */
public final class Html {
  private static final Set<String> VOID = Set.of("meta", "br", "col", "link", "input");

  private final StringBuilder out = new StringBuilder(1 << 16);
  private final Deque<String> opened = new ArrayDeque<>();

  /**
   * Opens an element.
   *
   * @param attributes names and values in turn; an element whose value is empty is still written
   */
  Html open(String element, String... attributes) {
    if (attributes.length % 2 != 0) {
      throw new IllegalArgumentException("an attribute of " + element + " has no value");
    }
    out.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      escape(attributes[i + 1]);
      out.append('"');
    }
    out.append('>');
    if (!VOID.contains(element)) {
      opened.push(element);
    }
    return this;
  }

  /** Closes the element opened last, which must be the one named. */
  Html close(String element) {
    if (opened.isEmpty() || !opened.peek().equals(element)) {
      throw new IllegalStateException(element + " is not the open element of " + opened);
    }
    opened.pop();
    out.append("</").append(element).append('>');
    return this;
  }

  Html text(String text) {
    escape(text);
    return this;
  }

  /** An element that holds only text. */
  public Html element(String element, String text, String... attributes) {
    return open(element, attributes).text(text).close(element);
  }

  Html newLine() {
    out.append('\n');
    return this;
  }

  /** Writes markup as it is: only for markup and resources of our own. */
  Html raw(String markup) {
    out.append(markup);
    return this;
  }

  /**
   * A script or style element. Its content cannot be escaped, so it must not end the element.
   *
   * @throws IllegalArgumentException if the content would
   */
  Html verbatim(String element, String content, String... attributes) {
    if (content.toLowerCase(java.util.Locale.ROOT).contains("</" + element)) {
      throw new IllegalArgumentException("content ends its " + element + " element");
    }
    return open(element, attributes).raw(content).close(element).newLine();
  }

  /** JSON as a data block: {@code <} is written as an escape, so it can end no element. */
  Html json(String id, String json) {
    String safe = json.replace("<", "\\u003c").replace(">", "\\u003e");
    return verbatim("script", safe, "type", "application/json", "id", id);
  }

  @Override
  public String toString() {
    if (!opened.isEmpty()) {
      throw new IllegalStateException("still open: " + opened);
    }
    return out.toString();
  }

  private void escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        case '\t', '\n' -> out.append(c);
        default -> out.append(c < ' ' || c == 0x7F ? '\uFFFD' : c);
      }
    }
  }
}
