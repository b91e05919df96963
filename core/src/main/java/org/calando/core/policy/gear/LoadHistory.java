package org.calando.core.policy.gear;

import java.util.Arrays;
import java.util.Objects;

/*
 * A week is cut into slots. Of each slot the greatest load counts, since that is what a gear has to
 * serve. Each slot of the day, and each of the week, keeps an exponentially smoothed mean of its
 * peaks and an equally smoothed mean of how far the next peak was off it:
 *
 *   error += a (|peak - mean| - error)      mean += a (peak - mean)      a = max(smoothing, 1 / (n + 1))
 *
 * so that the first few peaks count alike. A slot of the week that has been seen twice forecasts
 * itself; before that the same slot of the day does, of whatever day; of one that was never seen
 * nothing is known.
 */
/** What was seen of a load over days and weeks, slot by slot. Immutable and thread safe. */
public final class LoadHistory {
  /** Of nothing. */
  public static final LoadHistory NONE =
      new LoadHistory(1, new Slots(0), new Slots(0), Long.MIN_VALUE, 0);

  private static final long DAY_SECONDS = 86_400;
  private static final int DAYS = 7;
  private static final int TRUSTED = 2;

  private final long slotSeconds;
  private final Slots day;
  private final Slots week;
  private final long slot;
  private final double peak;

  private LoadHistory(long slotSeconds, Slots day, Slots week, long slot, double peak) {
    this.slotSeconds = slotSeconds;
    this.day = day;
    this.week = week;
    this.slot = slot;
    this.peak = peak;
  }

  /**
   * A history of nothing yet.
   *
   * @param slotSeconds length of a slot, a divisor of a day's 86400 s
   */
  public static LoadHistory of(long slotSeconds) {
    if (slotSeconds < 1 || DAY_SECONDS % slotSeconds != 0) {
      throw new IllegalArgumentException("slots of " + slotSeconds + " s");
    }
    int slots = (int) (DAY_SECONDS / slotSeconds);
    return new LoadHistory(
        slotSeconds, new Slots(slots), new Slots(DAYS * slots), Long.MIN_VALUE, 0);
  }

  /** Length of a slot in seconds. */
  long slotSeconds() {
    return slotSeconds;
  }

  /** The slot of a local time. */
  long slotOf(long localSeconds) {
    return Math.floorDiv(localSeconds, slotSeconds);
  }

  /**
   * With a load seen.
   *
   * @param localSeconds when, no earlier than the last; one that is earlier, by less than a week,
   *     changes nothing
   * @param perSecond the load
   * @param smoothing least weight of a new peak, above 0, at most 1
   * @param firstError error that is assumed of a slot that was seen once, as a share of its peak
   */
  LoadHistory seeing(long localSeconds, double perSecond, double smoothing, double firstError) {
    long now = slotOf(localSeconds);
    if (now < slot) {
      // A clock that went back a little shows nothing new; one that was wrong for once is not
      // believed.
      return slot - now < week.size()
          ? this
          : new LoadHistory(slotSeconds, day, week, now, perSecond);
    }
    if (now == slot) {
      return perSecond <= peak ? this : new LoadHistory(slotSeconds, day, week, slot, perSecond);
    }
    if (slot == Long.MIN_VALUE) {
      return new LoadHistory(slotSeconds, day, week, now, perSecond);
    }
    return new LoadHistory(
        slotSeconds,
        day.with(day.index(slot), peak, smoothing, firstError),
        week.with(week.index(slot), peak, smoothing, firstError),
        now,
        perSecond);
  }

  /**
   * The load that a slot will hardly exceed; infinite where nothing is known of it.
   *
   * @param ofSlot any slot from the present one on
   * @param errors how many mean errors above the mean, 0 or more
   */
  double upper(long ofSlot, double errors) {
    if (week.size() == 0) {
      return Double.POSITIVE_INFINITY;
    }
    Slots from = week.counts[week.index(ofSlot)] >= TRUSTED ? week : day;
    int index = from.index(ofSlot);
    return from.counts[index] == 0
        ? Double.POSITIVE_INFINITY
        : from.means[index] + errors * from.errors[index];
  }

  /** As a word of text. */
  String write() {
    if (week.size() == 0) {
      return "none";
    }
    StringBuilder text = new StringBuilder().append(slotSeconds);
    text.append('/').append(slot == Long.MIN_VALUE ? "-" : slot + ":" + peak);
    day.write(text.append('/'));
    week.write(text.append('/'));
    return text.toString();
  }

  /**
   * The history that {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  static LoadHistory read(String text) {
    if (text.equals("none")) {
      return NONE;
    }
    String[] parts = text.split("/", -1);
    if (parts.length != 4) {
      throw new IllegalArgumentException("not a history of loads: " + text);
    }
    LoadHistory empty = of(Long.parseLong(parts[0]));
    String[] now = parts[1].split(":", -1);
    boolean begun = !parts[1].equals("-");
    if (begun && now.length != 2) {
      throw new IllegalArgumentException("not a slot of loads: " + parts[1]);
    }
    return new LoadHistory(
        empty.slotSeconds,
        Slots.read(empty.day.size(), parts[2]),
        Slots.read(empty.week.size(), parts[3]),
        begun ? Long.parseLong(now[0]) : Long.MIN_VALUE,
        begun ? load(now[1]) : 0);
  }

  private static double load(String text) {
    double value = Double.parseDouble(text);
    if (!(value >= 0 && Double.isFinite(value))) {
      throw new IllegalArgumentException("a load of " + text);
    }
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LoadHistory that
        && slotSeconds == that.slotSeconds
        && slot == that.slot
        && peak == that.peak
        && day.same(that.day)
        && week.same(that.week);
  }

  @Override
  public int hashCode() {
    return Objects.hash(slotSeconds, slot, peak, Arrays.hashCode(day.means));
  }

  @Override
  public String toString() {
    return write();
  }

  /** The slots of a cycle; shared by histories and never changed once made. */
  private static final class Slots {
    private final int[] counts;
    private final double[] means;
    private final double[] errors;

    Slots(int size) {
      this(new int[size], new double[size], new double[size]);
    }

    private Slots(int[] counts, double[] means, double[] errors) {
      this.counts = counts;
      this.means = means;
      this.errors = errors;
    }

    int size() {
      return counts.length;
    }

    int index(long slot) {
      return (int) Math.floorMod(slot, (long) counts.length);
    }

    Slots with(int index, double peak, double smoothing, double firstError) {
      Slots next = new Slots(counts.clone(), means.clone(), errors.clone());
      int seen = counts[index];
      if (seen == 0) {
        next.means[index] = peak;
        next.errors[index] = firstError * peak;
      } else {
        double weight = Math.max(smoothing, 1.0 / (seen + 1));
        next.errors[index] += weight * (Math.abs(peak - means[index]) - errors[index]);
        next.means[index] += weight * (peak - means[index]);
      }
      // Enough to tell that it was seen often, and never to overflow.
      next.counts[index] = Math.min(seen + 1, 1_000_000);
      return next;
    }

    void write(StringBuilder text) {
      String separator = "";
      for (int i = 0; i < counts.length; i++) {
        if (counts[i] > 0) {
          text.append(separator).append(i).append(':').append(counts[i]);
          text.append(':').append(means[i]).append(':').append(errors[i]);
          separator = ",";
        }
      }
    }

    static Slots read(int size, String text) {
      Slots slots = new Slots(size);
      for (String word : text.isEmpty() ? new String[0] : text.split(",", -1)) {
        String[] figures = word.split(":", -1);
        int index = figures.length == 4 ? Integer.parseInt(figures[0]) : -1;
        if (index < 0 || index >= size || slots.counts[index] > 0) {
          throw new IllegalArgumentException("not a slot of loads: " + word);
        }
        slots.counts[index] = Math.max(1, Integer.parseInt(figures[1]));
        slots.means[index] = load(figures[2]);
        slots.errors[index] = load(figures[3]);
      }
      return slots;
    }

    boolean same(Slots other) {
      return Arrays.equals(counts, other.counts)
          && Arrays.equals(means, other.means)
          && Arrays.equals(errors, other.errors);
    }
  }
}
