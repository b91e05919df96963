package org.calando.clock;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes writes to a {@link FakeTree} as the kernel does: refuses what it refuses, rounds, shows the
 * clock of the governor userspace under that governor only, and keeps a list of what was written.
 */
public final class FakeKernel implements SysfsFiles {
  /** Ends the process as far as anybody can tell. */
  public static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** What was written, in order: {@code policy0/scaling_governor=userspace}. */
  public final List<String> writes = new ArrayList<>();

  /** Writes that are refused, such as {@code policy0/scaling_setspeed}. */
  public final Set<String> refuse = new HashSet<>();

  /** Clocks that the hardware does not go above, by policy. */
  public final Map<String, Long> ceiling = new HashMap<>();

  /** Files that may not be written. */
  final Set<String> readOnly = new HashSet<>();

  /** How many writes there are before the kill, and whether the last is done. */
  int killAfter = Integer.MAX_VALUE;

  private final SysfsFiles plain = SysfsFiles.real();

  @Override
  public String read(Path file) throws IOException {
    return plain.read(file);
  }

  @Override
  public boolean isWritable(Path file) {
    return plain.isWritable(file) && !readOnly.contains(file.getFileName().toString());
  }

  @Override
  public void write(Path file, String value) throws IOException {
    if (writes.size() >= killAfter) {
      throw new Killed();
    }
    Path policy = file.getParent();
    String name = policy.getFileName() + "/" + file.getFileName();
    plain.read(file);
    if (refuse.contains(name)) {
      throw new IOException("Invalid argument");
    }
    writes.add(name + "=" + value);
    switch (file.getFileName().toString()) {
      case "scaling_governor" -> governor(policy, value);
      case "scaling_setspeed" -> setspeed(policy, value);
      case "scaling_max_freq" -> limit(policy, file, value, true);
      case "scaling_min_freq" -> limit(policy, file, value, false);
      default -> throw new AssertionError("nobody may write " + name);
    }
  }

  private void governor(Path policy, String value) throws IOException {
    List<String> available =
        Arrays.asList(plain.read(policy.resolve("scaling_available_governors")).split(" "));
    check(available.contains(value));
    plain.write(policy.resolve("scaling_governor"), value);
    plain.write(
        policy.resolve("scaling_setspeed"),
        value.equals("userspace")
            ? plain.read(policy.resolve("scaling_cur_freq"))
            : "<unsupported>");
  }

  private void setspeed(Path policy, String value) throws IOException {
    check(plain.read(policy.resolve("scaling_governor")).equals("userspace"));
    long max = number(policy.resolve("scaling_max_freq"));
    long min = number(policy.resolve("scaling_min_freq"));
    long set = Math.max(min, Math.min(max, Long.parseLong(value)));
    set = Math.min(set, ceiling(policy));
    plain.write(policy.resolve("scaling_cur_freq"), String.valueOf(set));
    plain.write(policy.resolve("scaling_setspeed"), String.valueOf(set));
  }

  private void limit(Path policy, Path file, String value, boolean upper) throws IOException {
    long limit = Long.parseLong(value);
    check(
        upper
            ? limit >= number(policy.resolve("scaling_min_freq"))
            : limit <= number(policy.resolve("scaling_max_freq")));
    check(
        limit >= number(policy.resolve("cpuinfo_min_freq"))
            && limit <= number(policy.resolve("cpuinfo_max_freq")));
    plain.write(file, String.valueOf(upper ? Math.min(limit, ceiling(policy)) : limit));
  }

  private long ceiling(Path policy) {
    return ceiling.getOrDefault(policy.getFileName().toString(), Long.MAX_VALUE);
  }

  private long number(Path file) throws IOException {
    return Long.parseLong(plain.read(file));
  }

  private static void check(boolean holds) throws IOException {
    if (!holds) {
      throw new IOException("Invalid argument");
    }
  }
}
