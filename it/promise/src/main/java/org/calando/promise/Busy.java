package org.calando.promise;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * CPU time of the whole machine so far, as the kernel counts it: where little is left, a cell tells
 * of the machine.
 *
 * @param busy ticks of work
 * @param all ticks
 */
record Busy(long busy, long all) {
  private static final int IDLE = 3;
  private static final int WAITING = 4;
  private static final int COUNTED = 8;

  static Busy now() throws IOException {
    return parse(Files.readString(Path.of("/proc/stat")));
  }

  /** Of the first line of {@code /proc/stat}. */
  static Busy parse(String text) {
    List<Long> ticks =
        Arrays.stream(text.lines().findFirst().orElse("").split(" +", -1))
            .skip(1)
            .limit(COUNTED)
            .map(Long::valueOf)
            .toList();
    long all = ticks.stream().mapToLong(Long::longValue).sum();
    return new Busy(all - ticks.get(IDLE) - ticks.get(WAITING), all);
  }

  /** The share of the machine that was busy since then. */
  double shareSince(Busy then) {
    return (double) (busy - then.busy) / (all - then.all);
  }
}
