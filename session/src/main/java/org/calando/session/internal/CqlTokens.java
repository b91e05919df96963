package org.calando.session.internal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Cuts a query string into tokens. Not thread safe. */
final class CqlTokens {
  private final String text;
  private int at;
  private int begin;
  private @Nullable String current;
  private boolean word;
  private boolean quotedName;

  CqlTokens(String text) {
    this.text = text;
  }

  /** The next token; null at the end. A quoted name comes without its quotes. */
  @Nullable String next() {
    word = false;
    quotedName = false;
    skipBlanks();
    begin = at;
    if (at >= text.length()) {
      current = null;
      return null;
    }
    char first = text.charAt(at);
    if (Character.isLetter(first) || first == '_') {
      word = true;
      current = run();
    } else if (first == '"') {
      quotedName = true;
      current = quoted('"');
    } else if (first == '\'') {
      quoted('\'');
      current = "''";
    } else if (text.startsWith("$$", at)) {
      int end = text.indexOf("$$", at + 2);
      at = end < 0 ? text.length() : end + 2;
      current = "''";
    } else {
      at++;
      current = String.valueOf(first);
    }
    return current;
  }

  /** The token that {@link #next} returned last. */
  @Nullable String current() {
    return current;
  }

  /** Where the token begins in the text; its end if there is none. */
  int begin() {
    return begin;
  }

  /** Whether it is a name or keyword without quotes. */
  boolean isWord() {
    return word;
  }

  /** The token as a name in the server's spelling; null if it is none. */
  @Nullable String name() {
    if (current == null || quotedName) {
      return current;
    }
    return word ? current.toLowerCase(Locale.ROOT) : null;
  }

  private String run() {
    int begin = at;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
      at++;
    }
    return text.substring(begin, at);
  }

  // A quote inside is written twice.
  private String quoted(char quote) {
    StringBuilder inside = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != quote) {
        inside.append(c);
      } else if (at < text.length() && text.charAt(at) == quote) {
        inside.append(c);
        at++;
      } else {
        break;
      }
    }
    return inside.toString();
  }

  private void skipBlanks() {
    while (at < text.length()) {
      if (Character.isWhitespace(text.charAt(at))) {
        at++;
      } else if (text.startsWith("--", at) || text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end + 1;
      } else if (text.startsWith("/*", at)) {
        int end = text.indexOf("*/", at + 2);
        at = end < 0 ? text.length() : end + 2;
      } else {
        return;
      }
    }
  }
}
