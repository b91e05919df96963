package org.calando.bench.gear;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.calando.gears.GearSpec;

/**
 * What the experiment is done with: words {@code name=value}. Sizes are mebibytes, as the paper's
 * blocks of 64 MB are: its 200 MB in such blocks are 64 + 64 + 64 + 8.
 *
 * @param blocks of repeats: in each all configurations are run once, in random order
 * @param seed of orders, texts and patterns
 * @param scale that sizes of files and blocks are multiplied by, above 0 and at most 1
 * @param newMebibytes written in gear 1
 * @param layouts of {@code paraid-per-file}, {@code paraid}, {@code rabbit}
 * @param blockMebibytes block sizes
 * @param backgroundMegabytes a second, of a catch-up while grep runs; 0: no such leg
 * @param readSeconds of reads in each gear; 0: none
 * @param maps that run at once
 * @param out folder of the results
 */
record GearBenchOptions(
    int blocks,
    long seed,
    double scale,
    int newMebibytes,
    List<String> layouts,
    List<Integer> blockMebibytes,
    double backgroundMegabytes,
    int readSeconds,
    int maps,
    Path out) {
  /** Files of old data, and the size of each. */
  static final int OLD_FILES = 5;

  static final int FILE_MEBIBYTES = 200;

  /** Nodes that are on in each gear. */
  static final List<Integer> GEARS = List.of(3, 7);

  private static final double MEBIBYTE = 1 << 20;

  /** HDFS sums up pieces of so many bytes, and wants whole ones in a block. */
  private static final int CHECKSUM_BYTES = 512;

  private static final Map<String, String> DEFAULTS = defaults();

  private static Map<String, String> defaults() {
    Map<String, String> defaults = new LinkedHashMap<>();
    defaults.put("blocks", "5");
    defaults.put("seed", "42");
    defaults.put("scale", "1");
    defaults.put("new", Integer.toString(FILE_MEBIBYTES));
    defaults.put("layouts", "paraid-per-file,paraid,rabbit");
    defaults.put("sizes", "64,4");
    defaults.put("background", "0");
    defaults.put("reads", "5");
    defaults.put("maps", "2");
    defaults.put("out", "out/gears");
    return defaults;
  }

  /** Copies the lists and checks the figures. */
  GearBenchOptions {
    layouts = List.copyOf(layouts);
    blockMebibytes = List.copyOf(blockMebibytes);
    if (blocks < 1 || !(scale > 0 && scale <= 1) || newMebibytes < 1 || readSeconds < 0) {
      throw new BadRequestException(
          "blocks and new are from 1, reads from 0, and scale is above 0 and at most 1",
          "bench/gears",
          "");
    }
    layouts.forEach(GearBenchOptions::spec);
  }

  /** Reads words; those that are missing have defaults. */
  static GearBenchOptions parse(List<String> words) {
    Map<String, String> values = new LinkedHashMap<>(DEFAULTS);
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals < 0 || !DEFAULTS.containsKey(word.substring(0, equals))) {
        throw new BadRequestException(
            "'" + word + "' is no option", "bench/gears", "options and defaults: " + DEFAULTS);
      }
      values.put(word.substring(0, equals), word.substring(equals + 1));
    }
    try {
      return of(values);
    } catch (NumberFormatException e) {
      throw new BadRequestException("no number: " + e.getMessage(), "bench/gears", "");
    }
  }

  private static GearBenchOptions of(Map<String, String> values) {
    return new GearBenchOptions(
        Integer.parseInt(values.getOrDefault("blocks", "")),
        Long.parseLong(values.getOrDefault("seed", "")),
        Double.parseDouble(values.getOrDefault("scale", "")),
        Integer.parseInt(values.getOrDefault("new", "")),
        list(values.getOrDefault("layouts", "")),
        list(values.getOrDefault("sizes", "")).stream().map(Integer::valueOf).toList(),
        Double.parseDouble(values.getOrDefault("background", "")),
        Integer.parseInt(values.getOrDefault("reads", "")),
        Integer.parseInt(values.getOrDefault("maps", "")),
        Path.of(values.getOrDefault("out", "")));
  }

  private static List<String> list(String words) {
    return Arrays.asList(words.split(",", -1));
  }

  /** The layout of a name. */
  static GearSpec spec(String layout) {
    return switch (layout) {
      case "paraid-per-file" -> random(GearSpec.paraid(GEARS, "per-file"));
      case "paraid" -> random(GearSpec.paraid(GEARS, "even"));
      case "rabbit" -> random(GearSpec.rabbit(GEARS));
      default ->
          throw new BadRequestException(
              "there is no layout '" + layout + "'",
              "bench/gears",
              "use paraid-per-file, paraid or rabbit");
    };
  }

  /** The paper chooses any node that is on. */
  private static GearSpec random(GearSpec spec) {
    return new GearSpec(
        spec.layout(),
        spec.order(),
        spec.gears(),
        spec.primaries(),
        spec.replicas(),
        "random",
        spec.seed());
  }

  /** Bytes of a file of old data. */
  long fileBytes() {
    return Math.round(FILE_MEBIBYTES * MEBIBYTE * scale);
  }

  /** Bytes written in gear 1. */
  long newBytes() {
    return Math.round(newMebibytes * MEBIBYTE * scale);
  }

  /** Bytes of a block. */
  long blockBytes(int mebibytes) {
    long bytes = Math.round(mebibytes * MEBIBYTE * scale);
    return Math.max(CHECKSUM_BYTES, bytes - bytes % CHECKSUM_BYTES);
  }
}
