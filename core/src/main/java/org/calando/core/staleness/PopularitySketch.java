package org.calando.core.staleness;

import java.util.Optional;

/**
 * Learns how requests spread over the keys of a table from a session's own operations, in bounded
 * memory: tens of nanoseconds and no allocation an operation, whatever the number of keys.
 *
 * <p>Thread safe: any thread records, without waiting for others but in the rare case that its read
 * is sampled; {@link #rotate} is called by one thread, as a monitor, once a window of time. It sees
 * only what is recorded here: other clients' requests are none of it.
 */
public final class PopularitySketch {
  /** Bins of a popularity that is found, at most. */
  static final int BINS = 96;

  // What is asked for is the mean over reads of a function f of their key's rate of writes. So it
  // is enough to take reads at random and to count the writes of their keys: no distribution needs
  // to be assumed for the keys that are too many to be counted. Two windows of time are used, so
  // that choosing keys and counting them do not depend on each other:
  //
  //   in a window   m reads are sampled, each as likely (those with the m smallest random numbers,
  //                 "bottom-k": Cohen and Kaplan, "Summarizing data using bottom-k sketches", 2007)
  //   at its end    the sample is dealt into two halves A and B, at random
  //   in the next   reads and writes of all their keys are counted, all of them
  //   then          the keys of A are known: r of all reads, with their writes. Reads of B whose
  //                 key is not in A are a random sample of the other 1 - r of the reads.
  //
  // Popular keys are nearly all in A, so that only what is hardly ever stale is left to sampling.
  // A count of writes is that of a Poisson process: with a window of T its noise makes a mean of
  // 1 - exp(-w Tp) too low by a factor of no less than 1 - Tp / 2T.

  /**
   * How much is kept.
   *
   * @param sampledReads reads that are sampled in a window, m, 16 .. 65536; memory is some 80 bytes
   *     each
   * @param stripes counters that threads share, a power of two, 1 .. 64
   * @param seed of the random numbers
   */
  public record Config(int sampledReads, int stripes, long seed) {
    public Config {
      if (sampledReads < 16 || sampledReads > 65_536) {
        throw new IllegalArgumentException("sampled reads " + sampledReads);
      }
      if (stripes < 1 || stripes > 64 || Integer.bitCount(stripes) != 1) {
        throw new IllegalArgumentException("stripes " + stripes);
      }
    }

    /** 2048 reads and 8 stripes: 170 KB. */
    public static Config of(long seed) {
      return new Config(2048, 8, seed);
    }
  }

  private final Config config;
  private volatile SketchWindow window;
  private int windows;
  private long endedWrites;

  public PopularitySketch(Config config) {
    this.config = config;
    this.window = new SketchWindow(config, 0, new long[0]);
  }

  /** Records a read. */
  public void read(long key) {
    window.read(key);
  }

  /** Records a write. */
  public void write(long key) {
    window.write(key);
  }

  /** Writes that were recorded so far, in all windows. */
  public synchronized long writes() {
    return endedWrites + window.writes();
  }

  /**
   * Ends a window and begins the next. What was counted in the one that ends is the answer; what
   * came before is forgotten.
   *
   * @return what the window saw; empty if the one before sampled no read, as at the begin, or if
   *     none was made in it
   */
  public synchronized Optional<KeyPopularity> rotate() {
    SketchWindow ended = window;
    windows++;
    endedWrites += ended.writes();
    window = new SketchWindow(config, windows, ended.sample());
    return ended.popularity();
  }
}
