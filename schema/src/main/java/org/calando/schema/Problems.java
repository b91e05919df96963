package org.calando.schema;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;

/**
 * Everything that is wrong with a file, collected so that all of it is reported at once.
 *
 * <p>Not thread safe. Keeps at most {@value #SHOWN} problems and counts the others.
 */
public final class Problems {
  private static final int SHOWN = 100;

  private final List<String> sources = new ArrayList<>();
  private final List<Problem> kept = new ArrayList<>();
  private int count;

  private record Problem(Where where, String text, CalandoException.Problem told) {}

  /**
   * Adds a problem.
   *
   * @param where the file's line and column, or the argument
   * @param path the path of the value, empty for the whole file
   * @param what what is wrong
   * @param remedy how to mend it, or an empty string
   */
  public void add(Where where, String path, String what, String remedy) {
    count++;
    if (kept.size() == SHOWN) {
      return;
    }
    if (!sources.contains(where.source())) {
      sources.add(where.source());
    }
    String subject = path.isEmpty() ? "" : path + ": ";
    String advice = remedy.isEmpty() ? "" : "; " + remedy;
    kept.add(
        new Problem(
            where,
            where + ": " + subject + what + advice,
            new CalandoException.Problem(
                path.isEmpty() ? where.toString() : where + ": " + path, what, remedy)));
  }

  /** The number of problems so far. */
  public int count() {
    return count;
  }

  /** The problems, a line each, in the order of the file. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(sorted().map(Problem::text).toList());
    if (count > kept.size()) {
      lines.add("and " + (count - kept.size()) + " more");
    }
    return List.copyOf(lines);
  }

  private Stream<Problem> sorted() {
    Comparator<Problem> order =
        Comparator.comparingInt((Problem problem) -> sources.indexOf(problem.where().source()))
            .thenComparingInt(problem -> problem.where().line())
            .thenComparingInt(problem -> problem.where().column());
    return kept.stream().sorted(order);
  }

  /**
   * Does nothing if nothing is wrong.
   *
   * @throws BadRequestException listing all problems, a line each
   */
  public void throwIfAny() {
    if (count > 0) {
      throw new BadRequestException(
          String.join("\n", lines()), sorted().map(Problem::told).toList());
    }
  }
}
