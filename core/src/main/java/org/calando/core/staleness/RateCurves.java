package org.calando.core.staleness;

/**
 * {@link StaleWindow#rate} as curves over the rate of writes, one for each number of replicas read,
 * which cost nanoseconds however many writes were sampled. Immutable and thread safe.
 */
final class RateCurves {
  // 1 - exp(-w L) over w is cut into eight pieces an octave, each a cubic with the right values and
  // slopes at its ends. Its error is at most h^4/384 of the fourth derivative, L^4 exp(-w L), so
  // that with h = w/8 it is at most 4.7 / (384 8^4) = 3e-6, and 6e-7 (wL)^3 of the rate where w L
  // is
  // small. Below the first octave w L is less than 2^-10 and the parabola is off by (w L)^2 / 6 of
  // the rate; behind the last every window is over. The pieces' number is in the bits of w.

  private static final int PIECE_BITS = 3;
  private static final int SHIFT = 52 - PIECE_BITS;
  private static final int PIECES = 1 << PIECE_BITS;
  private static final long WITHIN = (1L << SHIFT) - 1;
  private static final double SCALE = 1.0 / (1L << SHIFT);
  private static final int MOST_OCTAVES = 64;
  private static final double FIRST = 0x1p-10;
  // exp(-40) is less than the rounding of 1.
  private static final double LAST = 40;
  private static final double SMALL = 0x1p-5;
  private static final int ORDER = 4;

  // Where windows end at 2^(i/16) s, w L is (1 + m/8) 2^(i/16), by the bits of w and that i: then
  // exp(-w L) and 1 - exp(-w L) are looked up, m by m. Behind the last end w L is above LAST.
  private static final int PLACES_AN_OCTAVE = OvertakingWindow.PIECES_AN_OCTAVE;
  private static final int FIRST_PLACE = -64 * PLACES_AN_OCTAVE;
  private static final int PLACES = -FIRST_PLACE + 6 * PLACES_AN_OCTAVE;
  private static final double[] NONE = new double[PIECES * PLACES];
  private static final double[] ANY = new double[PIECES * PLACES];

  static {
    for (int piece = 0; piece < PIECES; piece++) {
      for (int place = 0; place < PLACES; place++) {
        double expected = (1 + (double) piece / PIECES) * OvertakingWindow.end(FIRST_PLACE + place);
        NONE[piece * PLACES + place] = StrictMath.exp(-expected);
        ANY[piece * PLACES + place] = Poisson.any(expected);
      }
    }
  }

  private final int curves;
  private final double first;
  private final long firstPiece;
  private final double last;
  // By piece, then curve: the cubic of the way through the piece, 0 .. 1.
  private final double[] cubics;
  // By curve: the share of windows that never end, and below the first piece what follows w and
  // w^2.
  private final double[] never;
  private final double[] slope;
  private final double[] bend;
  private final double[] end;

  RateCurves(StaleWindow[] windows) {
    curves = windows.length;
    never = new double[curves];
    slope = new double[curves];
    bend = new double[curves];
    end = new double[curves];
    double shortest = Double.POSITIVE_INFINITY;
    double longest = 0;
    for (int curve = 0; curve < curves; curve++) {
      StaleWindow window = windows[curve];
      for (int i = 0; i < window.values(); i++) {
        double seconds = window.seconds(i);
        if (seconds == Double.POSITIVE_INFINITY) {
          never[curve] += window.weight(i);
        } else {
          shortest = Math.min(shortest, seconds);
          longest = Math.max(longest, seconds);
          slope[curve] += window.weight(i) * seconds;
          bend[curve] += window.weight(i) * seconds * seconds / 2;
        }
      }
    }
    int from = longest == 0 ? 0 : Math.getExponent(FIRST / longest);
    int to = longest == 0 ? 0 : Math.getExponent(LAST / shortest) + 1;
    to = Math.min(to, from + MOST_OCTAVES);
    first = Math.scalb(1.0, from);
    last = Math.scalb(1.0, to);
    firstPiece = Double.doubleToRawLongBits(first) >>> SHIFT;
    cubics = new double[(to - from) * PIECES * curves * ORDER];
    for (int curve = 0; curve < curves; curve++) {
      draw(windows[curve], curve);
    }
  }

  private void draw(StaleWindow window, int curve) {
    int[] places = window.isOfPieces() ? places(window) : new int[0];
    double[] here = new double[2];
    double[] next = new double[2];
    point(window, places, first, here);
    int pieces = cubics.length / (curves * ORDER);
    for (int piece = 0; piece < pieces; piece++) {
      double writes = Double.longBitsToDouble((firstPiece + piece) << SHIFT);
      double after = Double.longBitsToDouble((firstPiece + piece + 1) << SHIFT);
      point(window, places, after, next);
      double width = after - writes;
      double rise = next[0] - here[0];
      int at = (piece * curves + curve) * ORDER;
      cubics[at] = here[0];
      cubics[at + 1] = here[1] * width;
      cubics[at + 2] = 3 * rise - (2 * here[1] + next[1]) * width;
      cubics[at + 3] = (here[1] + next[1]) * width - 2 * rise;
      double[] swap = here;
      here = next;
      next = swap;
    }
    end[curve] = here[0];
  }

  /** Where in the table each end of a window is, for one write a second. */
  private static int[] places(StaleWindow window) {
    int[] places = new int[window.values()];
    for (int i = 0; i < places.length; i++) {
      double seconds = window.seconds(i);
      places[i] =
          seconds == Double.POSITIVE_INFINITY
              ? Integer.MAX_VALUE / 2
              : OvertakingWindow.place(seconds) - FIRST_PLACE;
    }
    return places;
  }

  /**
   * Value and slope.
   *
   * @param places of the window's ends in the table; none if they are not there
   */
  private static void point(StaleWindow window, int[] places, double writes, double[] point) {
    if (places.length > 0) {
      lookUp(window, places, writes, point);
    } else {
      compute(window, writes, point);
    }
  }

  private static void compute(StaleWindow window, double writes, double[] point) {
    double value = 0;
    double slope = 0;
    for (int i = 0; i < window.values(); i++) {
      double seconds = window.seconds(i);
      double weight = window.weight(i);
      double expected = writes * seconds;
      if (expected > LAST) {
        value += weight;
      } else {
        double none = StrictMath.exp(-expected);
        value += weight * (expected < SMALL ? Poisson.any(expected) : 1 - none);
        slope += weight * seconds * none;
      }
    }
    point[0] = value;
    point[1] = slope;
  }

  private static void lookUp(StaleWindow window, int[] places, double writes, double[] point) {
    int octave = Math.getExponent(writes) * PLACES_AN_OCTAVE;
    int piece = (int) (Double.doubleToRawLongBits(writes) >>> SHIFT & PIECES - 1) * PLACES;
    double value = 0;
    double slope = 0;
    for (int i = 0; i < places.length; i++) {
      double weight = window.weight(i);
      int place = places[i] + octave;
      if (place >= PLACES) {
        value += weight;
      } else {
        int at = piece + Math.max(0, place);
        value += weight * ANY[at];
        slope += weight * window.seconds(i) * NONE[at];
      }
    }
    point[0] = value;
    point[1] = slope;
  }

  /**
   * Adds the rates of a key that is written so often.
   *
   * @param writesPerSecond writes of the key, 0 or more
   * @param share what each rate is multiplied with
   * @param rates takes them, by curve
   */
  void add(double writesPerSecond, double share, double[] rates) {
    if (writesPerSecond >= last) {
      for (int curve = 0; curve < curves; curve++) {
        rates[curve] += share * end[curve];
      }
    } else if (writesPerSecond >= first) {
      long bits = Double.doubleToRawLongBits(writesPerSecond);
      int at = (int) ((bits >>> SHIFT) - firstPiece) * curves * ORDER;
      double way = (bits & WITHIN) * SCALE;
      for (int curve = 0; curve < curves; curve++) {
        double cubic = cubics[at + 2] + way * cubics[at + 3];
        rates[curve] += share * (cubics[at] + way * (cubics[at + 1] + way * cubic));
        at += ORDER;
      }
    } else if (writesPerSecond > 0) {
      for (int curve = 0; curve < curves; curve++) {
        rates[curve] +=
            share
                * (never[curve] + writesPerSecond * (slope[curve] - writesPerSecond * bend[curve]));
      }
    }
  }
}
