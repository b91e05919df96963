package org.calando.local.grep;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.calando.core.BadRequestException;

/**
 * One grep of all files of a folder. Immutable.
 *
 * @param folder its URI, for example {@code hdfs://127.0.0.1:9820/calando}
 * @param pattern a regular expression of Java
 * @param maps how many maps run at once, 1 to 64
 * @param heapMebibytes of the process, 64 to 16384; a map at work needs about 10
 * @param deadline within which the process has to end
 */
public record GrepSpec(
    String folder, String pattern, int maps, int heapMebibytes, Duration deadline) {
  private static final int MOST_MAPS = 64;
  private static final int LEAST_HEAP_MEBIBYTES = 64;
  private static final int MOST_HEAP_MEBIBYTES = 16_384;

  /**
   * Checks everything.
   *
   * @throws BadRequestException with all that is wrong
   */
  public GrepSpec {
    List<String> wrong = new ArrayList<>();
    checkFolder(folder, wrong);
    checkPattern(pattern, wrong);
    if (maps < 1 || maps > MOST_MAPS) {
      wrong.add("maps " + maps + " is not 1 to " + MOST_MAPS);
    }
    if (heapMebibytes < LEAST_HEAP_MEBIBYTES || heapMebibytes > MOST_HEAP_MEBIBYTES) {
      wrong.add(
          "a heap of %d MiB is not %d to %d"
              .formatted(heapMebibytes, LEAST_HEAP_MEBIBYTES, MOST_HEAP_MEBIBYTES));
    }
    if (deadline.isNegative() || deadline.isZero()) {
      wrong.add("deadline " + deadline + " is not positive");
    }
    if (!wrong.isEmpty()) {
      throw new BadRequestException(String.join("; ", wrong), "grep", "correct it");
    }
  }

  /** Two maps at once, 384 MiB, ten minutes. */
  public static GrepSpec of(String folder, String pattern) {
    return new GrepSpec(folder, pattern, 2, 384, Duration.ofMinutes(10));
  }

  /** The same with another number of maps at once. */
  public GrepSpec withMaps(int count) {
    return new GrepSpec(folder, pattern, count, heapMebibytes, deadline);
  }

  /** The same with another deadline. */
  public GrepSpec withDeadline(Duration time) {
    return new GrepSpec(folder, pattern, maps, heapMebibytes, time);
  }

  private static void checkFolder(String folder, List<String> wrong) {
    try {
      URI uri = new URI(folder);
      if (uri.getScheme() == null || uri.getPath() == null || !uri.getPath().startsWith("/")) {
        wrong.add("'" + folder + "' is no URI of a folder such as hdfs://HOST:PORT/FOLDER");
      }
    } catch (URISyntaxException e) {
      wrong.add("'" + folder + "' is no URI: " + e.getReason());
    }
  }

  private static void checkPattern(String pattern, List<String> wrong) {
    try {
      if (Pattern.compile(pattern).matcher("").find()) {
        wrong.add("pattern '" + pattern + "' matches the empty text, which is everywhere");
      }
    } catch (PatternSyntaxException e) {
      wrong.add("pattern '" + pattern + "' is no regular expression: " + e.getDescription());
    }
  }
}
