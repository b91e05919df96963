package org.calando.hdfs.grep;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Main class: {@code GrepMain URI-OF-FOLDER SCRATCH-FOLDER MAPS PATTERN}. Greps all files of the
 * folder once and tells the result as the last line on standard output, a JSON object:
 *
 * <pre>
 * {"grep": 1, "bytes": .., "found": .., "matches": .., "start_s": .., "search_s": .., "sort_s": ..}
 * </pre>
 *
 * <p>{@code start_s} is the time from the start of the process until the files are listed; it is no
 * part of the other two. {@code found} is what the maps counted, {@code matches} the sum over the
 * sorted result: they differ if something was lost between. Exit code 1 and a line on standard
 * error if it fails.
 */
public final class GrepMain {
  /** The version of the answer. */
  private static final int VERSION = 1;

  private GrepMain() {}

  /** Greps once and ends the process. */
  public static void main(String[] args) {
    int code = 0;
    try {
      System.out.println(grep(args[0], Path.of(args[1]), Integer.parseInt(args[2]), args[3]));
      System.out.flush();
    } catch (IOException | RuntimeException e) {
      System.err.println("ERROR grep: " + e);
      code = 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      code = 1;
    }
    // Threads of the client's would keep the process for seconds.
    Runtime.getRuntime().halt(code);
  }

  private static String grep(String folder, Path scratch, int maps, String pattern)
      throws IOException, InterruptedException {
    Grep grep = new Grep(scratch, pattern, maps);
    List<Grep.Input> inputs = grep.files(folder);
    if (inputs.isEmpty()) {
      throw new IOException("there is no file in " + folder);
    }
    double startSeconds = ManagementFactory.getRuntimeMXBean().getUptime() / 1e3;
    long begin = System.nanoTime();
    long found = grep.search(inputs);
    long searched = System.nanoTime();
    grep.sort();
    long sorted = System.nanoTime();
    return "{\"grep\":"
        + VERSION
        + member("bytes", inputs.stream().mapToLong(Grep.Input::bytes).sum())
        + member("found", found)
        + member("matches", matches(grep.sorted()))
        + member("start_s", startSeconds)
        + member("search_s", (searched - begin) / 1e9)
        + member("sort_s", (sorted - searched) / 1e9)
        + "}";
  }

  /** Sums up lines of count, tab, text. */
  private static long matches(Path sorted) throws IOException {
    try (Stream<String> lines = Files.lines(sorted)) {
      return lines.mapToLong(line -> Long.parseLong(line.substring(0, line.indexOf('\t')))).sum();
    }
  }

  private static String member(String name, long value) {
    return ",\"" + name + "\":" + value;
  }

  private static String member(String name, double seconds) {
    return ",\"" + name + "\":" + String.format(Locale.ROOT, "%.6f", seconds);
  }
}
