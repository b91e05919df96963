package org.calando.studyfile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Golden files: what users see, as it was when somebody last looked at it. A test that compares
 * with them has the tag {@link #TAG}; with {@code -Dcalando.golden=write} it writes them instead,
 * see CONTRIBUTING.md. Stateless.
 */
public final class Golden {
  /** Of the tests that compare with golden files. */
  public static final String TAG = "golden";

  static final String RENEW = "mvn package -pl cli -am -Dgroups=golden -Dcalando.golden=write";

  private static final boolean WRITE = "write".equals(System.getProperty("calando.golden"));

  /** Characters of a long line that are shown before and from its first difference on. */
  private static final int BEFORE = 40;

  private static final int SHOWN = 120;

  private Golden() {}

  /**
   * Compares a text with a file.
   *
   * @throws AssertionError naming the file, the first line that differs and how to renew it
   */
  public static void check(Path file, String text) {
    throwIfAny(differences(file.normalize(), text, WRITE));
  }

  /**
   * Compares texts, by the names of their files, with those of a folder, which has no others.
   *
   * @throws AssertionError naming each file that differs, its first line that does, and how to
   *     renew them
   */
  public static void check(Path folder, Map<String, String> texts) {
    check(folder.normalize(), texts, WRITE);
  }

  static void check(Path folder, Map<String, String> texts, boolean write) {
    List<String> problems = new ArrayList<>();
    texts.forEach((name, text) -> problems.addAll(differences(folder.resolve(name), text, write)));
    Set<String> extra = new TreeSet<>(names(folder));
    extra.removeAll(texts.keySet());
    for (String name : extra) {
      if (write) {
        delete(folder.resolve(name));
      } else {
        problems.add(folder.resolve(name) + " is of something that there is no more");
      }
    }
    throwIfAny(problems);
  }

  private static List<String> differences(Path file, String text, boolean write) {
    try {
      if (write) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return List.of();
      }
      String golden = Files.readString(file);
      return golden.equals(text) ? List.of() : List.of(file + " " + difference(golden, text));
    } catch (NoSuchFileException e) {
      return List.of(file + " is missing");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first line that differs, in words. */
  static String difference(String golden, String now) {
    List<String> before = lines(golden);
    List<String> after = lines(now);
    int line = 0;
    while (line < before.size()
        && line < after.size()
        && before.get(line).equals(after.get(line))) {
      line++;
    }
    String was = line < before.size() ? before.get(line) : null;
    String is = line < after.size() ? after.get(line) : null;
    int at = was == null || is == null ? 0 : common(was, is);
    return "differs first in line %d, character %d:%n  golden: %s%n  now:    %s"
        .formatted(line + 1, at + 1, shown(was, at), shown(is, at));
  }

  /** With the end of each but the last line, so that a difference at a line's end is one too. */
  private static List<String> lines(String text) {
    return List.of(text.split("(?<=\n)", -1));
  }

  private static int common(String one, String other) {
    int at = 0;
    while (at < one.length() && at < other.length() && one.charAt(at) == other.charAt(at)) {
      at++;
    }
    return at;
  }

  private static String shown(String line, int at) {
    if (line == null || line.isEmpty()) {
      return "(end of the file)";
    }
    int from = Math.max(0, at - BEFORE);
    int to = Math.min(line.length(), at + SHOWN);
    String text = line.substring(from, to).replace("\r", "\\r").replace("\n", "\\n");
    return (from > 0 ? "..." : "") + text + (to < line.length() ? "..." : "");
  }

  private static void throwIfAny(List<String> problems) {
    if (!problems.isEmpty()) {
      throw new AssertionError(
          String.join("\n", problems)
              + "\nIf that is meant, renew the golden files in a commit of its own that says why: "
              + RENEW);
    }
  }

  private static Set<String> names(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .collect(Collectors.toSet());
    } catch (NoSuchFileException e) {
      return Set.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
