package org.calando.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that somebody probably meant. Stateless. */
public final class Nearest {
  private static final int MOST_NAMED = 9;

  private Nearest() {}

  /** Names in a few words: all, or the first and the last of many. */
  public static String listed(List<String> names) {
    return names.size() > MOST_NAMED
        ? names.get(0) + " to " + names.get(names.size() - 1)
        : String.join(", ", names);
  }

  /** {@code did you mean nodes?} where a word is near, else the words that are known. */
  public static String advice(String word, Collection<String> known) {
    return of(word, known)
        .map(near -> "did you mean " + near + "?")
        .orElse("use one of " + String.join(", ", known));
  }

  /** The known word nearest to one that is not known, if any is near enough to be meant. */
  public static Optional<String> of(String word, Collection<String> known) {
    if (word.length() > 64) {
      return Optional.empty();
    }
    String wanted = simplified(word);
    int allowed = Math.max(1, wanted.length() / 3);
    return known.stream()
        .filter(candidate -> distance(wanted, simplified(candidate)) <= allowed)
        .min(Comparator.comparingInt(candidate -> distance(wanted, simplified(candidate))));
  }

  private static String simplified(String word) {
    return word.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Edits between two words: insertion, deletion, replacement, swap of neighbours. */
  private static int distance(String a, String b) {
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int replaced = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        edits[i][j] = Math.min(replaced, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
        }
      }
    }
    return edits[a.length()][b.length()];
  }
}
