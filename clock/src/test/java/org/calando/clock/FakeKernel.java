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
import java.util.TreeMap;

/**
 * Takes writes to a {@link FakeTree} as the kernel does: refuses what it refuses, keeps what was
 * asked for behind what is in force under caps, is busy, shows the clock of the governor userspace
 * under that governor only, and keeps a list of what was written. What is put into the files past
 * it counts as written by somebody else.
 */
public final class FakeKernel implements SysfsFiles {
  /** Ends the process as far as anybody can tell. */
  public static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private static final Set<String> MOVING =
      Set.of("scaling_min_freq", "scaling_max_freq", "scaling_setspeed", "scaling_cur_freq");

  /** What was asked for of a policy, and what its files showed last. */
  private static final class Asked {
    long min;
    long max;
    long setspeed;
    String shownMin = "";
    String shownMax = "";
    String shownSetspeed = "";
  }

  /** What was written, in order: {@code policy0/scaling_governor=userspace}. */
  public final List<String> writes = new ArrayList<>();

  /** Writes that are refused, such as {@code policy0/scaling_setspeed}. */
  public final Set<String> refuse = new HashSet<>();

  /** Clocks that heat or firmware does not let a policy go above, until it is taken away. */
  public final Map<String, Long> ceiling = new HashMap<>();

  /** Files that may not be written. */
  final Set<String> readOnly = new HashSet<>();

  /** Policies whose processors are all offline: there, and neither read nor written. */
  final Set<String> offline = new HashSet<>();

  /** Whether limits that cross are refused, as kernels before 5.3 do; later ones take them. */
  boolean refusesCrossing = true;

  /** How many of the next writes find the kernel busy with bringing processors online. */
  int busy;

  /** What happens elsewhere before a write. */
  Runnable beforeWrite = () -> {};

  /** How many writes there are before the kill, and whether the last is done. */
  int killAfter = Integer.MAX_VALUE;

  private final Map<Path, Asked> asked = new HashMap<>();
  private final SysfsFiles plain = SysfsFiles.real();

  @Override
  public synchronized String read(Path file) throws IOException {
    Path policy = file.getParent();
    if (isPolicy(policy)) {
      requireOnline(policy);
      plain.read(file);
      if (MOVING.contains(file.getFileName().toString())) {
        show(policy);
      }
    }
    return plain.read(file);
  }

  @Override
  public boolean isWritable(Path file) {
    return plain.isWritable(file) && !readOnly.contains(file.getFileName().toString());
  }

  @Override
  public synchronized void write(Path file, String value) throws IOException {
    if (writes.size() >= killAfter) {
      throw new Killed();
    }
    beforeWrite.run();
    Path policy = file.getParent();
    String name = policy.getFileName() + "/" + file.getFileName();
    plain.read(file);
    requireOnline(policy);
    if (busy > 0) {
      busy--;
      throw new IOException("Device or resource busy");
    }
    if (refuse.contains(name)) {
      throw new IOException("Invalid argument");
    }
    writes.add(name + "=" + value);
    Asked now = show(policy);
    switch (file.getFileName().toString()) {
      case "scaling_governor" -> governor(policy, now, value);
      case "scaling_setspeed" -> {
        check(governor(policy).equals("userspace"));
        now.setspeed = Long.parseLong(value);
      }
      case "scaling_max_freq" -> {
        check(!refusesCrossing || Long.parseLong(value) >= now.min);
        now.max = within(policy, value);
      }
      case "scaling_min_freq" -> {
        check(!refusesCrossing || Long.parseLong(value) <= now.max);
        now.min = within(policy, value);
      }
      default -> throw new AssertionError("nobody may write " + name);
    }
    show(policy);
  }

  /** What was asked for of all policies of a tree, whatever is in force: to be restored. */
  public synchronized Map<String, String> asked(FakeTree tree) {
    Map<String, String> all = new TreeMap<>();
    try {
      for (Path policy : tree.policies()) {
        Asked one = show(policy);
        String governor = governor(policy);
        String setspeed = governor.equals("userspace") ? " at " + one.setspeed : "";
        all.put(
            policy.getFileName().toString(),
            one.min + " to " + one.max + " " + governor + setspeed);
      }
      return all;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** The machine restarts: what was asked for is forgotten, and the files tell the defaults. */
  synchronized void forget() {
    asked.clear();
  }

  /** Brings the files up to date with caps, and this with what was put into the files. */
  private Asked show(Path policy) throws IOException {
    Asked one = asked.computeIfAbsent(policy, absent -> new Asked());
    String min = plain.read(policy.resolve("scaling_min_freq"));
    String max = plain.read(policy.resolve("scaling_max_freq"));
    String setspeed = plain.read(policy.resolve("scaling_setspeed"));
    one.min = min.equals(one.shownMin) ? one.min : Long.parseLong(min);
    one.max = max.equals(one.shownMax) ? one.max : Long.parseLong(max);
    boolean told = governor(policy).equals("userspace") && !setspeed.equals(one.shownSetspeed);
    one.setspeed = told ? Long.parseLong(setspeed) : one.setspeed;

    long hardware = number(policy.resolve("cpuinfo_max_freq"));
    long cap = ceiling.getOrDefault(policy.getFileName().toString(), Long.MAX_VALUE);
    long highest = Math.min(one.max, Math.min(cap, hardware));
    long lowest = Math.min(one.min, highest);
    one.shownMax = put(policy.resolve("scaling_max_freq"), max, String.valueOf(highest));
    one.shownMin = put(policy.resolve("scaling_min_freq"), min, String.valueOf(lowest));
    String clock = "<unsupported>";
    if (governor(policy).equals("userspace")) {
      clock = String.valueOf(Math.max(lowest, Math.min(highest, one.setspeed)));
      plain.write(policy.resolve("scaling_cur_freq"), clock);
    }
    one.shownSetspeed = put(policy.resolve("scaling_setspeed"), setspeed, clock);
    return one;
  }

  private String put(Path file, String old, String value) throws IOException {
    if (!old.equals(value)) {
      plain.write(file, value);
    }
    return value;
  }

  private void governor(Path policy, Asked now, String value) throws IOException {
    List<String> available =
        Arrays.asList(plain.read(policy.resolve("scaling_available_governors")).split(" "));
    check(available.contains(value));
    if (value.equals("userspace") && !governor(policy).equals("userspace")) {
      now.setspeed = number(policy.resolve("scaling_cur_freq"));
      now.shownSetspeed = plain.read(policy.resolve("scaling_setspeed"));
    }
    plain.write(policy.resolve("scaling_governor"), value);
  }

  private String governor(Path policy) throws IOException {
    return plain.read(policy.resolve("scaling_governor"));
  }

  private long within(Path policy, String value) throws IOException {
    long limit = Long.parseLong(value);
    check(
        limit >= number(policy.resolve("cpuinfo_min_freq"))
            && limit <= number(policy.resolve("cpuinfo_max_freq")));
    return limit;
  }

  private void requireOnline(Path policy) throws IOException {
    if (offline.contains(policy.getFileName().toString())) {
      throw new IOException("Device or resource busy");
    }
  }

  private static boolean isPolicy(Path folder) {
    return folder.getFileName().toString().startsWith("policy");
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
