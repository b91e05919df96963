package org.calando.report;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Lines for a terminal of 80 columns. Not thread safe. */
public final class TextLines {
  /** No line is longer than this. */
  public static final int WIDTH = 79;

  private static final char RULE = '\u2500';

  private final StringBuilder out = new StringBuilder();

  /** An empty line. */
  public void blank() {
    out.append('\n');
  }

  /** A line across. */
  public void rule() {
    out.append(String.valueOf(RULE).repeat(WIDTH)).append('\n');
  }

  /**
   * A line of cells; what is too long for its column is cut.
   *
   * @param isLeft whether the cell of an index stands to the left
   */
  public void line(List<String> cells, List<Integer> widths, IntPredicate isLeft) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      int width = widths.get(i);
      String cell = cut(clean(cells.get(i)), width);
      String padding = " ".repeat(width - cell.length());
      line.append(i == 0 ? "" : " ").append(isLeft.test(i) ? cell + padding : padding + cell);
    }
    out.append(line.toString().stripTrailing()).append('\n');
  }

  /**
   * All lines, each ended by a line feed.
   *
   * @param charset the terminal's; what it cannot show is spelled in ASCII
   * @param marks what it has to be able to show
   */
  public String text(Charset charset, String marks) {
    return charset.newEncoder().canEncode(marks) ? out.toString() : ascii();
  }

  /** The text, its end replaced by an ellipsis if it is longer than that. */
  private static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 1) + "\u2026";
  }

  /** Adds the text in lines of at most {@link #WIDTH} characters. */
  public void wrap(String text) {
    List<String> line = new ArrayList<>();
    int length = 0;
    for (String word : clean(text).strip().split(" +", -1)) {
      String piece = cut(word, WIDTH);
      if (length + line.size() + piece.length() > WIDTH) {
        out.append(String.join(" ", line)).append('\n');
        line.clear();
        length = 0;
      }
      line.add(piece);
      length += piece.length();
    }
    out.append(String.join(" ", line)).append('\n');
  }

  /** A study's text must not steer the terminal. */
  private static String clean(String text) {
    return text.replaceAll("[\\p{Cntrl}]+", " ");
  }

  /** One character for one, so that columns stay in line. */
  private String ascii() {
    return out.toString()
        .replace('\u2500', '-')
        .replace('\u2013', '-')
        .replace('\u2026', '~')
        .replace(" \u00B1 ", " +-")
        .replace("\u00B1", "+-")
        .replace("\u00B7", "-")
        .replaceAll("[^\\x00-\\x7F]", "?");
  }
}
