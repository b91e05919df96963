package org.calando.control;

import java.nio.charset.StandardCharsets;
import java.util.List;

/*
 * The first line has the owner's words, each further one a note; the last line that is complete counts. A note is added
 * behind those before it. Only then are these overwritten, and only if what is written does not reach the new line, so
 * that it is the last complete one throughout: the file stays at a few lines however often it is noted.
 *
 *   words old          words old new          words new w new         words new
 *                add                overwrite                  cut
 */
/**
 * What the file of a knob's owner holds: whenever a change of it is cut off, it reads as before or
 * after. Stateless.
 */
final class OwnerText {
  private OwnerText() {}

  /**
   * A change of a file: a text at a place, or the file's end there if it is empty.
   *
   * @param at from the file's begin, in bytes
   */
  record Edit(int at, String text) {
    static Edit cut(int at) {
      return new Edit(at, "");
    }

    byte[] bytes() {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }

  /** What a new owner writes; what the file held has been settled. */
  static List<Edit> taken(String words) {
    return List.of(Edit.cut(0), new Edit(0, words + "\n"));
  }

  /**
   * What an owner writes to note something in place of its last note.
   *
   * @param file what the file holds
   * @param line one line
   */
  static List<Edit> noted(byte[] file, String line) {
    int complete = file.length;
    while (complete > 0 && file[complete - 1] != '\n') {
      complete--;
    }
    String words = words(new String(file, StandardCharsets.UTF_8));
    Edit add = new Edit(complete, line + "\n");
    Edit first = new Edit(0, words + "\n" + line + "\n");
    int length = first.bytes().length;
    return length > complete ? List.of(add) : List.of(add, first, Edit.cut(length));
  }

  /** The owner's words, and behind them its last note if it has one, a line each. */
  static String settled(String text) {
    int end = text.lastIndexOf('\n');
    int first = text.indexOf('\n');
    return end == first
        ? text.substring(0, end + 1)
        : text.substring(0, first + 1)
            + text.substring(text.lastIndexOf('\n', end - 1) + 1, end + 1);
  }

  /** The first line, which is for people. */
  static String words(String text) {
    return text.lines().findFirst().orElse("").strip();
  }
}
