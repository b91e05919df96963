package org.calando.clock;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * All that Calando changes of a cpufreq policy. Immutable and thread safe.
 *
 * @param governor the kernel's governor
 * @param minKHz lower limit in kHz
 * @param maxKHz upper limit in kHz
 * @param setspeedKHz the clock that the governor userspace was told; nothing under other governors
 */
public record PolicySettings(String governor, long minKHz, long maxKHz, OptionalLong setspeedKHz) {
  static final String GOVERNOR = "scaling_governor";
  static final String MIN = "scaling_min_freq";
  static final String MAX = "scaling_max_freq";
  static final String SETSPEED = "scaling_setspeed";
  static final String USERSPACE = "userspace";

  private static final Pattern FIGURE = Pattern.compile("\\d{1,12}");
  private static final Pattern TEXT =
      Pattern.compile("governor=(\\S+) min=(\\d{1,12}) max=(\\d{1,12}) setspeed=(none|\\d{1,12})");

  /**
   * Reads a policy's.
   *
   * @throws IOException if a file cannot be read or holds no figure
   */
  static PolicySettings read(SysfsFiles files, Path folder) throws IOException {
    String governor = files.read(folder.resolve(GOVERNOR));
    return new PolicySettings(
        governor,
        kiloHertz(files, folder.resolve(MIN)),
        kiloHertz(files, folder.resolve(MAX)),
        governor.equals(USERSPACE) ? setspeed(files, folder) : OptionalLong.empty());
  }

  private static OptionalLong setspeed(SysfsFiles files, Path folder) throws IOException {
    String text = files.read(folder.resolve(SETSPEED));
    return FIGURE.matcher(text).matches()
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  /** A file's figure in kHz. */
  static long kiloHertz(SysfsFiles files, Path file) throws IOException {
    String text = files.read(file);
    if (!FIGURE.matcher(text).matches()) {
      throw new IOException(file + " holds no clock: '" + text + "'");
    }
    return Long.parseLong(text);
  }

  /**
   * Whether these are what others read as, if at all under a stricter limit of heat or firmware,
   * which the kernel shows instead.
   */
  boolean isUnderACap(PolicySettings asked) {
    return governor.equals(asked.governor)
        && maxKHz <= asked.maxKHz
        && minKHz == Math.min(asked.minKHz, maxKHz)
        && setspeedKHz.isPresent() == asked.setspeedKHz.isPresent()
        && setspeedKHz.orElse(0) == Math.min(asked.setspeedKHz.orElse(0), maxKHz);
  }

  /** The same below another upper limit, in kHz. */
  PolicySettings withMax(long limitKHz) {
    return new PolicySettings(governor, minKHz, limitKHz, setspeedKHz);
  }

  /** These once a policy's clock was set and reads back so, in kHz. */
  PolicySettings steered(Steering by, long readKHz) {
    return switch (by) {
      case SETSPEED ->
          governor.equals(USERSPACE)
              ? new PolicySettings(governor, minKHz, maxKHz, OptionalLong.of(readKHz))
              : this;
      case CAP -> withMax(readKHz);
      case PIN -> new PolicySettings(governor, readKHz, readKHz, setspeedKHz);
    };
  }

  /** Those words of others that these have otherwise. */
  String differing(PolicySettings others) {
    String[] mine = text().split(" ", -1);
    StringJoiner differ = new StringJoiner(" ");
    int word = 0;
    for (String other : others.text().split(" ", -1)) {
      if (!other.equals(mine[word++])) {
        differ.add(other);
      }
    }
    return differ.toString();
  }

  /** In words that {@link #parse} reads. */
  public String text() {
    return "governor=%s min=%d max=%d setspeed=%s"
        .formatted(
            governor,
            minKHz,
            maxKHz,
            setspeedKHz.isPresent() ? String.valueOf(setspeedKHz.getAsLong()) : "none");
  }

  /**
   * Reads the {@link #text}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static PolicySettings parse(String text) {
    Matcher match = TEXT.matcher(text);
    if (!match.matches()) {
      throw new IllegalArgumentException("no settings of a clock: " + text);
    }
    return new PolicySettings(
        match.group(1),
        Long.parseLong(match.group(2)),
        Long.parseLong(match.group(3)),
        match.group(4).equals("none")
            ? OptionalLong.empty()
            : OptionalLong.of(Long.parseLong(match.group(4))));
  }
}
