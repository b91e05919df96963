package org.calando.bench.gear;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.calando.core.CalandoException;

/**
 * The experiment of Le et al. 2011 on a real HDFS that shifts gears: old data, new data written in
 * gear 1, up-shift, grep.
 */
public final class GearBench {
  private GearBench() {}

  /** A configuration within a block. */
  private record Configuration(String layout, int blockMebibytes) {}

  /**
   * {@code GearBench [NAME=VALUE ...]}. Exit code 1 if a configuration failed, 2 if a word is
   * wrong.
   */
  public static void main(String[] words) throws IOException, InterruptedException {
    try {
      System.exit(run(GearBenchOptions.parse(List.of(words))) ? 0 : 1);
    } catch (CalandoException e) {
      System.err.println(e.getMessage());
      System.exit(e.exitCode());
    }
  }

  private static boolean run(GearBenchOptions options) throws IOException, InterruptedException {
    Path file = options.out().resolve("gears.csv");
    Files.createDirectories(options.out());
    boolean good = true;
    for (int block = 1; block <= options.blocks(); block++) {
      for (Configuration one : configurations(options, block)) {
        if (isDone(GearRow.read(file), options, block, one)) {
          continue;
        }
        System.out.printf(
            "block %d, %s, blocks of %d MiB%n", block, one.layout(), one.blockMebibytes());
        try {
          GearRow.append(
              file, GearExperiment.run(options, block, one.layout(), one.blockMebibytes()));
        } catch (CalandoException e) {
          good = false;
          System.out.println("  FAILED: " + e.getMessage());
        }
      }
    }
    String text = new GearTables(GearRow.read(file)).toString();
    Files.writeString(options.out().resolve("gears.md"), text);
    System.out.println(text);
    return good;
  }

  /** All configurations in the block's own order. */
  private static List<Configuration> configurations(GearBenchOptions options, int block) {
    List<Configuration> all = new ArrayList<>();
    for (String layout : options.layouts()) {
      for (int mebibytes : options.blockMebibytes()) {
        all.add(new Configuration(layout, mebibytes));
      }
    }
    Collections.shuffle(all, new Random(options.seed() * 1009 + block));
    return all;
  }

  private static boolean isDone(
      List<GearRow> rows, GearBenchOptions options, int block, Configuration one) {
    String leg = options.backgroundMegabytes() > 0 ? "background" : "catch-up";
    return rows.stream()
        .anyMatch(
            row ->
                row.text("seed").equals(Long.toString(options.seed()))
                    && row.text("block").equals(Integer.toString(block))
                    && row.text("layout").equals(one.layout())
                    && row.text("leg").equals(leg)
                    && row.figure("block_bytes") == options.blockBytes(one.blockMebibytes())
                    && row.figure("old_bytes") == GearBenchOptions.OLD_FILES * options.fileBytes()
                    && row.figure("new_bytes") == options.newBytes());
  }
}
