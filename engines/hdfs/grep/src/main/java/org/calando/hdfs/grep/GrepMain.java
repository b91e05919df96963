package org.calando.hdfs.grep;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Main class: {@code GrepMain URI-OF-FOLDER SCRATCH-FOLDER MAPS PATTERN}. Greps all files of the
 * folder once and tells the result as the last line on standard output, a JSON object:
 *
 * <pre>
 * {"grep": 1, "files": .., "bytes": .., "maps": .., "lines": .., "found": .., "matches": ..,
 *  "distinct": .., "top": [{"text": "..", "count": ..}, ..], "start_s": .., "search_s": .., "sort_s": ..}
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

  /** How many of the texts that were found are told. */
  private static final int TOP = 10;

  private GrepMain() {}

  /** A text that was found, and how often. */
  private record Count(String text, long count) {}

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
    Grep.Found found = grep.search(inputs);
    long searched = System.nanoTime();
    grep.sort();
    long sorted = System.nanoTime();
    List<Count> counts = read(grep.sorted());
    return "{\"grep\":"
        + VERSION
        + member("files", inputs.size())
        + member("bytes", inputs.stream().mapToLong(Grep.Input::bytes).sum())
        + member("maps", found.maps())
        + member("lines", found.records())
        + member("found", found.matches())
        + member("matches", counts.stream().mapToLong(Count::count).sum())
        + member("distinct", counts.size())
        + ",\"top\":["
        + counts.stream().limit(TOP).map(GrepMain::json).collect(Collectors.joining(","))
        + "]"
        + member("start_s", startSeconds)
        + member("search_s", (searched - begin) / 1e9)
        + member("sort_s", (sorted - searched) / 1e9)
        + "}";
  }

  /** Lines of count, tab, text. */
  private static List<Count> read(Path sorted) throws IOException {
    try (Stream<String> lines = Files.lines(sorted)) {
      return lines.map(GrepMain::count).toList();
    }
  }

  private static Count count(String line) {
    int tab = line.indexOf('\t');
    return new Count(line.substring(tab + 1), Long.parseLong(line.substring(0, tab)));
  }

  private static String member(String name, long value) {
    return ",\"" + name + "\":" + value;
  }

  private static String member(String name, double seconds) {
    return ",\"" + name + "\":" + String.format(Locale.ROOT, "%.6f", seconds);
  }

  private static String json(Count count) {
    StringBuilder text = new StringBuilder("{\"text\":\"");
    for (char c : count.text().toCharArray()) {
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    return text.append("\",\"count\":").append(count.count()).append('}').toString();
  }
}
