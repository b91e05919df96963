package org.calando.bench.gear;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;

/**
 * What catch-ups are compared with: words {@code name=value}.
 *
 * @param repeats in each all legs are run once, in random order
 * @param seed of orders and bytes
 * @param newMebibytes that are away from home
 * @param blockMebibytes block sizes, each on a cluster of its own
 * @param parallel transfers that a node takes part in at a time
 * @param out folder of the results
 */
record CatchUpOptions(
    int repeats,
    long seed,
    double newMebibytes,
    List<Double> blockMebibytes,
    int parallel,
    Path out) {
  private static final String WHERE = "bench/catchup";
  private static final double MEBIBYTE = 1 << 20;

  /** The least that a DataNode takes by the local cluster's settings; blocks are multiples. */
  private static final int LEAST_BLOCK = 4096;

  private static final Map<String, String> DEFAULTS = defaults();

  private static Map<String, String> defaults() {
    Map<String, String> defaults = new LinkedHashMap<>();
    defaults.put("repeats", "10");
    defaults.put("seed", "42");
    defaults.put("new", "1000");
    defaults.put("sizes", "64,4");
    defaults.put("parallel", "4");
    defaults.put("out", "out/catchup");
    return defaults;
  }

  /** Copies the list and checks the figures. */
  CatchUpOptions {
    blockMebibytes = List.copyOf(blockMebibytes);
    boolean blocksAreRight =
        blockMebibytes.stream().allMatch(size -> size * MEBIBYTE >= LEAST_BLOCK);
    if (repeats < 1 || !(newMebibytes > 0) || parallel < 1 || !blocksAreRight) {
      throw new BadRequestException(
          "repeats and parallel are from 1, new is above 0, and a block has 4 KiB at least",
          WHERE,
          "");
    }
  }

  /** Reads words; those that are missing have defaults. */
  static CatchUpOptions parse(List<String> words) {
    Map<String, String> values = new LinkedHashMap<>(DEFAULTS);
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals < 0 || !DEFAULTS.containsKey(word.substring(0, equals))) {
        throw new BadRequestException(
            "'" + word + "' is no option", WHERE, "options and defaults: " + DEFAULTS);
      }
      values.put(word.substring(0, equals), word.substring(equals + 1));
    }
    try {
      return new CatchUpOptions(
          Integer.parseInt(values.getOrDefault("repeats", "")),
          Long.parseLong(values.getOrDefault("seed", "")),
          Double.parseDouble(values.getOrDefault("new", "")),
          Arrays.stream(values.getOrDefault("sizes", "").split(",", -1))
              .map(Double::valueOf)
              .toList(),
          Integer.parseInt(values.getOrDefault("parallel", "")),
          Path.of(values.getOrDefault("out", "")));
    } catch (NumberFormatException e) {
      throw new BadRequestException("no number: " + e.getMessage(), WHERE, "");
    }
  }

  /** Bytes that are away from home. */
  long newBytes() {
    return Math.round(newMebibytes * MEBIBYTE);
  }

  /** Bytes of a block. */
  static long blockBytes(double mebibytes) {
    long bytes = Math.round(mebibytes * MEBIBYTE);
    return bytes - bytes % LEAST_BLOCK;
  }
}
