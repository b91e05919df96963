package org.calando.clock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.FailedWorkException;

/*
 * What somebody else has set since is theirs and stays. But limits come from several askers, of whom
 * the kernel takes the strictest (a hot machine's upper limit is one): an upper limit below the one
 * that was written, or a lower one above it, is no sign of anybody, and ours is still behind it.
 * So these are restored: the stricter asker keeps its way, and no clock is left slow for ever.
 */
/** Puts one policy back, attribute by attribute. Used once. */
final class PolicyRestoration {
  private final SysfsFiles files;
  private final PolicyFiles policy;
  private final Path folder;
  private final PolicySettings before;
  private final PolicySettings leased;
  private final LastClock noted;
  private final Optional<LastWritten.Clock> last;
  private final boolean force;
  private final List<String> left = new ArrayList<>();

  PolicyRestoration(
      SysfsFiles files,
      Path folder,
      PolicySettings before,
      PolicySettings leased,
      LastClock noted,
      boolean force) {
    this.files = files;
    this.policy = new PolicyFiles(files, folder);
    this.folder = folder;
    this.before = before;
    this.leased = leased;
    this.noted = noted;
    this.last = noted.of(folder);
    this.force = force;
  }

  /**
   * Restores what is as Calando left it.
   *
   * @throws FailedWorkException naming what is not restored: refused, changed by somebody else, or
   *     gone
   */
  void run() {
    if (!Files.isDirectory(folder)) {
      throw new FailedWorkException(
          "the policy is gone",
          folder.toString(),
          "bring its processors online and run ./calando restore, or drop it by --abandon");
    }
    try {
      PolicySettings now = PolicySettings.read(files, folder);
      limits(now);
      governor(now);
      if (left.isEmpty()) {
        readBack();
      }
    } catch (IOException e) {
      left.add(e.getMessage() == null ? e.toString() : e.getMessage());
    }
    if (!left.isEmpty()) {
      throw new FailedWorkException(
          String.join("; ", left),
          folder.toString(),
          "./calando restore tries again, --force also puts back what others changed, --abandon"
              + " leaves it");
    }
  }

  private void limits(PolicySettings now) {
    boolean maxIsOurs = force || now.maxKHz() <= highestOurs();
    boolean minIsOurs = force || now.minKHz() >= lowestOurs();
    if (!maxIsOurs && now.maxKHz() != before.maxKHz()) {
      left.add(
          "somebody else set the upper limit to " + now.maxKHz() + ", it was " + before.maxKHz());
    }
    if (!minIsOurs && now.minKHz() != before.minKHz()) {
      left.add(
          "somebody else set the lower limit to " + now.minKHz() + ", it was " + before.minKHz());
    }
    if (maxIsOurs) {
      noteFormer();
    }
    try {
      if (maxIsOurs && minIsOurs) {
        policy.limits(now, before.minKHz(), before.maxKHz());
      } else if (maxIsOurs) {
        policy.write(PolicySettings.MAX, Long.toString(before.maxKHz()));
      } else if (minIsOurs) {
        policy.write(PolicySettings.MIN, Long.toString(before.minKHz()));
      }
    } catch (IOException e) {
      if (!limitsRead()) {
        left.add(String.valueOf(e.getMessage()));
      }
    }
  }

  /**
   * From now on the former limit may be ours too: behind a cap it reads higher than the clock that
   * was written last, and whoever finishes what is cut off here must not take it for somebody's.
   * Not to be able to note it is no reason to leave the limit.
   */
  private void noteFormer() {
    if (last.isPresent() && before.maxKHz() > highestOurs() && !force) {
      try {
        noted.note(folder, new LastWritten.Clock(before.maxKHz(), last.get().readKHz()));
      } catch (IOException e) {
        // The next one may take the limit for somebody's then, and says how to go on.
      }
    }
  }

  /** A limit that cannot be written was never changed. */
  private boolean limitsRead() {
    try {
      PolicySettings now = PolicySettings.read(files, folder);
      return now.minKHz() == before.minKHz() && now.maxKHz() == before.maxKHz();
    } catch (IOException e) {
      return false;
    }
  }

  /** After the limits, so that no other governor runs without them even for a moment. */
  private void governor(PolicySettings now) throws IOException {
    boolean ours = now.governor().equals(leased.governor());
    if (!now.governor().equals(before.governor())) {
      if (!ours && !force) {
        left.add(
            "somebody else chose the governor " + now.governor() + ", it was " + before.governor());
        return;
      }
      policy.write(PolicySettings.GOVERNOR, before.governor());
    }
    if (before.setspeedKHz().isPresent()) {
      long told = now.setspeedKHz().orElse(0);
      if (!isOurs(told, now) && told != before.setspeedKHz().getAsLong() && !force) {
        left.add("somebody else set " + told + ", it was " + before.setspeedKHz().getAsLong());
        return;
      }
      policy.write(PolicySettings.SETSPEED, Long.toString(before.setspeedKHz().getAsLong()));
    }
  }

  /**
   * Limits hold the clock that was told too, those of a restoration that was cut off among them.
   */
  private boolean isOurs(long told, PolicySettings now) {
    return last.isEmpty()
        || told == within(last.get().readKHz(), now)
        || told == within(last.get().intendedKHz(), now);
  }

  private static long within(long clock, PolicySettings limits) {
    return Math.max(limits.minKHz(), Math.min(limits.maxKHz(), clock));
  }

  private void readBack() throws IOException {
    PolicySettings now = PolicySettings.read(files, folder);
    if (!now.isUnderACap(before)) {
      left.add("reads back as " + now.text() + " instead of " + before.text());
    }
  }

  private long highestOurs() {
    return last.isPresent() && leased.governor().equals(before.governor()) && steersByLimits()
        ? Math.max(last.get().intendedKHz(), last.get().readKHz())
        : Math.max(leased.maxKHz(), before.maxKHz());
  }

  private long lowestOurs() {
    return Math.min(leased.minKHz(), before.minKHz());
  }

  /** Under the governor userspace limits stay wide open. */
  private boolean steersByLimits() {
    return !leased.governor().equals(PolicySettings.USERSPACE);
  }
}
