package org.calando.core.staleness;

import java.util.Arrays;
import java.util.stream.IntStream;

/*
 * Writes of a key begin as a Poisson process of rate w. A sampled write i is acknowledged A_i after
 * its begin, and missed from then on for L_i. A read that begins s after write i does is stale for
 * its sake if the write is acknowledged and missed, A_i <= s < A_i + L_i, and no newer one is
 * acknowledged: those that began since then and are, are Poisson with the mean w H(s), H(s) =
 * int_0^s G, G(u) = P(A <= u). So the stale rate is
 *
 *   E int_A^(A + L) w exp(-w H(s)) ds
 *
 * If all acknowledgements take the same time, H(s) = s - A, and this is E[1 - exp(-w L)]. If some
 * are quicker than others it is more: a quick write that is missed is not replaced by the newer ones
 * that are still waiting for theirs.
 *
 * With h = H(s), the time of AckClock, dh = G ds. What is acknowledged of the writes of an age is
 * G, what of that is missed c(s) = P(A <= s < A + L), and
 *
 *   rate = int w q(h) exp(-w h) dh,   q = c / G, the chance to miss a write that is acknowledged
 *
 * In this clock's time acknowledged writes are a Poisson process again, of the rate w, and q is to
 * it what P(L > t) is to writes in order. So all of StaleWindow holds for it but for two things: q may
 * rise, so that "weights" may be negative; and it knows no ages.
 *
 * q is a staircase with two steps a sample. Here it is averaged over pieces that end at whole
 * sixteenths of octaves of seconds, which changes no rate by more than 1.4e-4 of all that q rises
 * and falls, leaves a few hundred steps, and lets RateCurves look exponentials up. int q dh over a piece is int c ds over
 * the same piece: a difference of sums of (s - A)+ - (s - A - L)+.
 *
 * That a read may find a newer write before its acknowledgement is not counted, in order or not:
 * the rate is none too low for it.
 */
/**
 * For how long writes are missed whose acknowledgements take different times, so that they overtake
 * each other. Stateless.
 */
final class OvertakingWindow {
  /** Ends of pieces lie at 2 to so many parts of whole numbers. */
  static final int PIECES_AN_OCTAVE = 16;

  private static final int OCTAVES = 14;
  private static final int PIECES = PIECES_AN_OCTAVE * OCTAVES;

  private static final double[] PARTS = new double[PIECES_AN_OCTAVE];

  static {
    Arrays.setAll(PARTS, i -> StrictMath.pow(2, (double) i / PIECES_AN_OCTAVE));
  }

  private OvertakingWindow() {}

  /**
   * The window of a sample; one of writes in order if it is unknown how long acknowledgements took.
   *
   * @param samples the sampled writes that the other arguments are of
   * @param missedSeconds for how long each was missed after its acknowledgement, 0 or more, perhaps
   *     infinite
   * @param chances that it was, each 0 or more, 1 together at most
   */
  static StaleWindow of(
      PropagationLags lags, int[] samples, double[] missedSeconds, double[] chances) {
    if (!lags.knowsAcknowledgements()) {
      return StaleWindow.of(missedSeconds, chances);
    }
    double[] acks = new double[samples.length];
    Arrays.setAll(acks, i -> lags.ackSeconds(samples[i]));
    double[] all = new double[lags.samples()];
    Arrays.setAll(all, lags::ackSeconds);
    AckClock clock = new AckClock(all);
    double[] ends = ends(clock, acks, missedSeconds, chances);
    double never = 0;
    for (int i = 0; i < chances.length; i++) {
      never += missedSeconds[i] == Double.POSITIVE_INFINITY ? chances[i] : 0;
    }
    double[] missed = missed(clock, acks, missedSeconds, chances, ends);
    return staircase(ends, missed, never);
  }

  private static double[] ends(
      AckClock clock, double[] acks, double[] missedSeconds, double[] chances) {
    double last = 0;
    for (int i = 0; i < acks.length; i++) {
      if (missedSeconds[i] < Double.POSITIVE_INFINITY && chances[i] > 0) {
        last = Math.max(last, missedSeconds[i] > 0 ? clock.at(acks[i] + missedSeconds[i]) : 0);
      }
    }
    if (last == 0) {
      return new double[0];
    }
    double[] ends = new double[PIECES + 1];
    int from = (Math.getExponent(last) + 1) * PIECES_AN_OCTAVE - PIECES;
    for (int i = 0; i <= PIECES; i++) {
      ends[i] = end(from + i);
    }
    return ends;
  }

  /** The end of a piece: 2 to so many sixteenths, in seconds. */
  static double end(int place) {
    return Math.scalb(
        PARTS[Math.floorMod(place, PIECES_AN_OCTAVE)], Math.floorDiv(place, PIECES_AN_OCTAVE));
  }

  /** Of an {@link #end} which it is; 0 seconds or infinitely many are none. */
  static int place(double end) {
    int octave = Math.getExponent(end);
    double part = Math.scalb(end, -octave);
    return octave * PIECES_AN_OCTAVE + Arrays.binarySearch(PARTS, part);
  }

  /** The mean of q in each piece. */
  private static double[] missed(
      AckClock clock, double[] acks, double[] missedSeconds, double[] chances, double[] ends) {
    double[] missed = missedUntil(clock, ends, acks, missedSeconds, chances);
    for (int i = ends.length - 1; i >= 0; i--) {
      double before = i == 0 ? 0 : missed[i - 1];
      double width = ends[i] - (i == 0 ? 0 : ends[i - 1]);
      missed[i] = Math.min(1, Math.max(0, missed[i] - before) / width);
    }
    return missed;
  }

  /** How long writes have been missed by the end of each piece. */
  private static double[] missedUntil(
      AckClock clock, double[] ends, double[] acks, double[] missedSeconds, double[] chances) {
    double[] ages = new double[ends.length];
    for (int i = 0; i < ends.length; i++) {
      ages[i] = clock.ageAt(ends[i]);
    }
    // By the first piece that ends later than a time: the chances that begin then, less those that
    // end then, and the same times the time.
    double[] begun = new double[ends.length + 1];
    double[] begunAt = new double[ends.length + 1];
    for (int i = 0; i < acks.length; i++) {
      if (missedSeconds[i] > 0) {
        double from = acks[i];
        double to = acks[i] + missedSeconds[i];
        int first = AckClock.piece(ages, from);
        begun[first] += chances[i];
        begunAt[first] += chances[i] * from;
        int last = AckClock.piece(ages, to);
        if (last < ages.length) {
          begun[last] -= chances[i];
          begunAt[last] -= chances[i] * to;
        }
      }
    }
    double[] until = new double[ends.length];
    double share = 0;
    double shareAt = 0;
    for (int i = 0; i < ends.length; i++) {
      share += begun[i];
      shareAt += begunAt[i];
      until[i] = share * ages[i] - shareAt;
    }
    return until;
  }

  private static StaleWindow staircase(double[] ends, double[] missed, double never) {
    double[] times = Arrays.copyOf(ends, ends.length + 1);
    times[ends.length] = Double.POSITIVE_INFINITY;
    double[] steps = new double[times.length];
    for (int i = 0; i < ends.length; i++) {
      steps[i] = missed[i] - (i + 1 < ends.length ? missed[i + 1] : never);
    }
    steps[ends.length] = never;
    int[] kept = IntStream.range(0, times.length).filter(i -> steps[i] != 0).toArray();
    return new StaleWindow(
        Arrays.stream(kept).mapToDouble(i -> times[i]).toArray(),
        Arrays.stream(kept).mapToDouble(i -> steps[i]).toArray(),
        true);
  }
}
