package org.calando.clock;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.calando.clock.PolicyOutcome.Result;

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

  /** Keeps what is about to be written, for whoever restores. */
  interface Note {
    void put(LastWritten.Clock clock) throws IOException;
  }

  PolicyClock(SysfsFiles files, CpufreqPolicy policy, Note note) {
    this.files = files;
    this.policy = policy;
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

  /** Whether it was set so last, and read back so. */
  boolean isSet(long kiloHertz) {
    return setKHz == policy.frequencies().atLeast(kiloHertz);
  }

  /** Sets the lowest clock that is no slower, unless it is set so. */
  PolicyOutcome set(long kiloHertz) {
    long wanted = policy.frequencies().atLeast(kiloHertz);
    return wanted == setKHz
        ? new PolicyOutcome(policy.name(), wanted, readKHz, Result.UNCHANGED, "")
        : write(wanted);
  }

  /** Reads the clock again, and sets it again if it is not what it is to be. */
  PolicyOutcome verify(long kiloHertz) {
    long wanted = policy.frequencies().atLeast(kiloHertz);
    try {
      if (wanted == setKHz && obeys() && read() == readKHz) {
        return new PolicyOutcome(policy.name(), wanted, readKHz, Result.UNCHANGED, "");
      }
    } catch (IOException e) {
      // writing tells what is the matter
    }
    return write(wanted);
  }

  /** Under another governor what was told to userspace is not in force. */
  private boolean obeys() throws IOException {
    return policy.steering() != Steering.SETSPEED
        || files
            .read(policy.folder().resolve(PolicySettings.GOVERNOR))
            .equals(PolicySettings.USERSPACE);
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
    return new PolicyOutcome(policy.name(), wanted, readKHz, result, detail);
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
