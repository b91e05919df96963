package org.calando.session.internal.governed;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.calando.core.policy.ReadChoice;
import org.calando.session.TableName;

/** Words of the lines that sessions and governors exchange. Stateless. */
final class Lines {
  private static final long MOST = 1L << 52;

  private Lines() {}

  /** A name as one word, whatever it has. */
  static String word(String name) {
    return name.isEmpty() ? "-" : URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  /** A name that {@link #word} wrote. */
  static String name(String word) {
    return word.equals("-") ? "" : URLDecoder.decode(word, StandardCharsets.UTF_8);
  }

  static String words(TableName table) {
    return word(table.keyspace()) + " " + word(table.table());
  }

  static TableName table(String keyspace, String table) {
    return new TableName(name(keyspace), name(table));
  }

  /** The words behind the first one. */
  static List<String> rest(String line) {
    String[] words = line.split(" ", -1);
    return Arrays.asList(words).subList(1, words.length);
  }

  /** The text behind the first word. */
  static String tail(String line) {
    return line.substring(Math.min(line.length(), line.indexOf(' ') + 1));
  }

  /** A share. */
  static double share(String word) {
    double share = Double.parseDouble(word);
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("a share of " + word);
    }
    return share;
  }

  /** What a read asks. */
  static ReadChoice choice(String replicas, String shareAbove) {
    return new ReadChoice(Integer.parseInt(replicas), Double.parseDouble(shareAbove));
  }

  /** A count whose sums over all sessions stay numbers. */
  static long amount(String word) {
    long count = count(word);
    if (count > MOST) {
      throw new IllegalArgumentException("a count of " + word + ", above " + MOST);
    }
    return count;
  }

  /** A number that is 0 or more. */
  static long count(String word) {
    long count = Long.parseLong(word);
    if (count < 0) {
      throw new IllegalArgumentException("a count of " + word);
    }
    return count;
  }
}
