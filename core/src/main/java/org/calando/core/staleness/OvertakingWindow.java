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
 * each other. Immutable and thread safe.
 */
final class OvertakingWindow extends StaleWindow {
  /** Ends of pieces lie at 2 to so many parts of whole numbers. */
  static final int PIECES_AN_OCTAVE = 16;

  private static final int OCTAVES = 14;
  private static final int PIECES = PIECES_AN_OCTAVE * OCTAVES;

  private static final double[] PARTS = new double[PIECES_AN_OCTAVE];

  static {
    Arrays.setAll(PARTS, i -> StrictMath.pow(2, (double) i / PIECES_AN_OCTAVE));
  }

  private final AckClock clock;
  private final double[] acks;
  private final double[] seconds;
  private final double[] weights;
  // Ends of the pieces, as the clock shows them; none if nothing is missed for a finite time.
  private final double[] ends;

  private OvertakingWindow(
      StaleWindow staircase,
      AckClock clock,
      double[] acks,
      double[] seconds,
      double[] weights,
      double[] ends) {
    super(staircase);
    this.clock = clock;
    this.acks = acks;
    this.seconds = seconds;
    this.weights = weights;
    this.ends = ends;
  }

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
    return new OvertakingWindow(
        staircase(ends, missed, never), clock, acks, missedSeconds, chances, ends);
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
    double[] missed = missedUntil(clock, ends, 0, acks, missedSeconds, chances);
    for (int i = ends.length - 1; i >= 0; i--) {
      double before = i == 0 ? 0 : missed[i - 1];
      double width = ends[i] - (i == 0 ? 0 : ends[i - 1]);
      missed[i] = Math.min(1, Math.max(0, missed[i] - before) / width);
    }
    return missed;
  }

  /**
   * How long writes have been missed by the end of each piece.
   *
   * @param without so much of the time of each does not count
   */
  private static double[] missedUntil(
      AckClock clock,
      double[] ends,
      double without,
      double[] acks,
      double[] missedSeconds,
      double[] chances) {
    double[] ages = new double[ends.length];
    for (int i = 0; i < ends.length; i++) {
      ages[i] = clock.ageAt(ends[i]);
    }
    // By the first piece that ends later than a time: the chances that begin then, less those that
    // end then, and the same times the time.
    double[] begun = new double[ends.length + 1];
    double[] begunAt = new double[ends.length + 1];
    for (int i = 0; i < acks.length; i++) {
      if (missedSeconds[i] > without) {
        double from = acks[i] + without;
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
        Arrays.stream(kept).mapToDouble(i -> steps[i]).toArray());
  }

  /*
   * A read's t-staleness is more than t if, from the newest write on, there is one that was
   * acknowledged more than t ago and missed before there is one that is found. Of writes s old the
   * former are c_t(s) = P(A + t <= s < A + L), and the latter G - c.
   */
  @Override
  public double rateOfAge(double writesPerSecond, double age) {
    if (!(writesPerSecond > 0)) {
      return 0;
    }
    // One more piece, until all that is missed for ever is old.
    double[] pieces = Arrays.copyOf(ends, ends.length + 1);
    double before = ends.length == 0 ? 0 : ends[ends.length - 1];
    pieces[ends.length] = Math.max(before, clock.at(slowest() + age));
    double[] missed = missedUntil(clock, pieces, 0, acks, seconds, weights);
    double[] old = missedUntil(clock, pieces, age, acks, seconds, weights);
    double sum = 0;
    double none = 1;
    for (int i = 0; i < pieces.length; i++) {
      double isOld = old[i] - (i == 0 ? 0 : old[i - 1]);
      double isMissed = missed[i] - (i == 0 ? 0 : missed[i - 1]);
      double width = pieces[i] - (i == 0 ? 0 : pieces[i - 1]);
      double first = Math.max(isOld, width - isMissed + isOld);
      sum += first > 0 ? none * Poisson.any(writesPerSecond * first) * isOld / first : 0;
      none *= StrictMath.exp(-writesPerSecond * first);
    }
    return Math.min(1, sum + none * neverFound());
  }

  private double slowest() {
    return Arrays.stream(acks).max().orElse(0);
  }

  private double neverFound() {
    double never = 0;
    for (int i = 0; i < seconds.length; i++) {
      never += seconds[i] == Double.POSITIVE_INFINITY ? weights[i] : 0;
    }
    return never;
  }

  /** Of one write, whatever happens to others. */
  @Override
  public double missedAfter(double age) {
    double missed = 0;
    for (int i = 0; i < seconds.length; i++) {
      missed += seconds[i] > age ? weights[i] : 0;
    }
    return Math.min(1, missed);
  }
}
