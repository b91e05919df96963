package org.calando.bench.gear;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.calando.report.Csv;

/**
 * What a leg came to. Immutable.
 *
 * @param seed of the run
 * @param repeat from 1
 * @param blockBytes of a block
 * @param newBytes that were away from home
 * @param leg which
 * @param position in the repeat, from 1
 * @param blocks copied
 * @param bytes copied
 * @param seconds that it took
 * @param cachedBytes of all blocks in memory before it began; -1 if not known
 */
record CatchUpRow(
    long seed,
    int repeat,
    long blockBytes,
    long newBytes,
    String leg,
    int position,
    long blocks,
    long bytes,
    Seconds seconds,
    long cachedBytes) {
  /**
   * Times of a leg, each from its order.
   *
   * @param copied until the last copy was there
   * @param all until everything that belongs to the leg was through; as {@code copied} where
   *     nothing follows
   * @param order of the whole command, its plan and journal included; likewise
   */
  record Seconds(double copied, double all, double order) {}

  private static final String VERSION = "1";
  private static final String HEADER =
      "version,seed,repeat,block_bytes,new_bytes,leg,position,blocks,bytes,seconds,all_seconds,"
          + "order_seconds,cached_bytes";

  private String line() {
    return String.format(
        Locale.ROOT,
        "%s,%d,%d,%d,%d,%s,%d,%d,%d,%.4f,%.4f,%.4f,%d%n",
        VERSION,
        seed,
        repeat,
        blockBytes,
        newBytes,
        leg,
        position,
        blocks,
        bytes,
        seconds.copied(),
        seconds.all(),
        seconds.order(),
        cachedBytes);
  }

  private static CatchUpRow of(Map<String, String> cells) {
    return new CatchUpRow(
        whole(cells, "seed"),
        (int) whole(cells, "repeat"),
        whole(cells, "block_bytes"),
        whole(cells, "new_bytes"),
        cells.getOrDefault("leg", ""),
        (int) whole(cells, "position"),
        whole(cells, "blocks"),
        whole(cells, "bytes"),
        new Seconds(
            Double.parseDouble(cells.getOrDefault("seconds", "")),
            Double.parseDouble(cells.getOrDefault("all_seconds", "")),
            Double.parseDouble(cells.getOrDefault("order_seconds", ""))),
        whole(cells, "cached_bytes"));
  }

  private static long whole(Map<String, String> cells, String column) {
    return Long.parseLong(cells.getOrDefault(column, ""));
  }

  /** All that are in a file; none if there is no file. */
  static List<CatchUpRow> read(Path file) throws IOException {
    List<CatchUpRow> rows = new ArrayList<>();
    if (Files.exists(file)) {
      for (Map<String, String> cells : Csv.parse(Files.readString(file), file.toString())) {
        rows.add(of(cells));
      }
    }
    return rows;
  }

  /** Adds the legs of a repeat at once, so that an interrupted run leaves all of it or nothing. */
  static void append(Path file, List<CatchUpRow> rows) throws IOException {
    String header = Files.exists(file) ? "" : HEADER + "\n";
    String lines = rows.stream().map(CatchUpRow::line).collect(Collectors.joining());
    Files.writeString(file, header + lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
