package org.calando.clock;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.calando.clock.PolicyOutcome.Result;
import org.jspecify.annotations.Nullable;

/**
 * Sets the clock of a policy that obeys: a write or two, and one to the note of what was last
 * written; nothing waits for a disk. Not thread safe.
 */
final class PolicyClock {
  /** Hardware that counts in steps of its own is not another clock. */
  private static final double SAME = 0.01;

  private final SysfsFiles files;
  private final CpufreqPolicy policy;
  private final PolicyFiles writes;
  private final Note note;
  private long setKHz;
  private long readKHz;
  private long lastReadKHz;
  private @Nullable PolicySettings inForce;
  private @Nullable PolicyOutcome newest;

  /** Keeps what is about to be written, for whoever restores. */
  interface Note {
    void put(LastWritten.Clock clock) throws IOException;
  }

  /**
   * A clock that nobody has set yet.
   *
   * @param inForce how the policy is set now; null if that is not known
   */
  PolicyClock(SysfsFiles files, CpufreqPolicy policy, @Nullable PolicySettings inForce, Note note) {
    this.files = files;
    this.policy = policy;
    this.inForce = inForce;
    this.writes = new PolicyFiles(files, policy.folder());
    this.note = note;
  }

  CpufreqPolicy policy() {
    return policy;
  }

  /** The clock in force as it was last read back, in kHz; 0 before the first. */
  long readKHz() {
    return readKHz;
  }

  /** Sets the lowest clock that is no slower, unless it is set so. */
  PolicyOutcome set(long kiloHertz) {
    long wanted = policy.frequencies().atLeast(kiloHertz);
    return wanted == setKHz
        ? new PolicyOutcome(policy.name(), wanted, readKHz, Result.UNCHANGED, "")
        : write(wanted);
  }

  /**
   * Looks whether all of the policy is as it was set last, by governor, limits and clock; if not,
   * sets the clock again. What somebody else did is reported once, and so is an outcome that is
   * another than that of the last attempt: a cap of heat that stays is no news each second.
   *
   * @return what is to be reported; empty if all is as at the last look
   */
  Optional<Drift> verify(long kiloHertz) {
    long wanted = policy.frequencies().atLeast(kiloHertz);
    @Nullable PolicySettings was = inForce;
    @Nullable PolicySettings now = settings();
    boolean changed = was != null && now != null && !now.equals(was);
    if (now != null && !changed && wanted == setKHz) {
      inForce = now;
      return Optional.empty();
    }
    inForce = now == null ? was : now;
    @Nullable PolicyOutcome before = newest;
    PolicyOutcome outcome = write(wanted);
    if (changed && was != null && now != null) {
      String again =
          was.equals(inForce) ? "set again" : "the clock is set, the rest is left as it is";
      String then = outcome.ok() ? again : outcome.detail();
      return drift(now.differing(was), was.differing(now), then, outcome);
    }
    String said = outcome.ok() ? "set, after it could not be set before" : outcome.detail();
    return outcome.equals(before) ? Optional.empty() : drift("", "", said, outcome);
  }

  private Optional<Drift> drift(String from, String to, String then, PolicyOutcome outcome) {
    return Optional.of(new Drift(policy.name(), from, to, then, Optional.of(outcome)));
  }

  private @Nullable PolicySettings settings() {
    try {
      return PolicySettings.read(files, policy.folder());
    } catch (IOException e) {
      // Writing the clock says what is the matter.
      return null;
    }
  }

  private PolicyOutcome write(long wanted) {
    Result result;
    String detail = "";
    try {
      // A clock that cannot be read for a while is still the one that was read last.
      note.put(new LastWritten.Clock(wanted, lastReadKHz));
      steer(wanted);
      readKHz = read();
      lastReadKHz = readKHz;
      inForce = inForce == null ? null : inForce.steered(policy.steering(), readKHz);
      note.put(new LastWritten.Clock(wanted, readKHz));
      boolean same = Math.abs(readKHz - wanted) <= SAME * wanted;
      result = same ? Result.SET : Result.CHANGED;
      setKHz = same ? wanted : 0;
      detail = same ? "" : policy.name() + " took " + wanted + " kHz and reads back " + readKHz;
    } catch (NoSuchFileException e) {
      result = Result.GONE;
      detail = policy.name() + " is gone: are its processors offline?";
      readKHz = 0;
      setKHz = 0;
    } catch (IOException e) {
      result = Result.REFUSED;
      detail = String.valueOf(e.getMessage());
      readKHz = readOr0();
      setKHz = 0;
    }
    PolicyOutcome outcome = new PolicyOutcome(policy.name(), wanted, readKHz, result, detail);
    newest = outcome;
    return outcome;
  }

  private void steer(long wanted) throws IOException {
    switch (policy.steering()) {
      case SETSPEED -> writes.write(PolicySettings.SETSPEED, Long.toString(wanted));
      case CAP -> writes.write(PolicySettings.MAX, Long.toString(wanted));
      case PIN -> writes.limits(PolicySettings.read(files, policy.folder()), wanted, wanted);
    }
  }

  private long read() throws IOException {
    return PolicySettings.kiloHertz(
        files,
        policy
            .folder()
            .resolve(
                policy.steering() == Steering.SETSPEED
                    ? PolicySettings.SETSPEED
                    : PolicySettings.MAX));
  }

  private long readOr0() {
    try {
      return read();
    } catch (IOException e) {
      return 0;
    }
  }
}
