package org.calando.clock;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;

/**
 * Who sets a policy's clock: its own governor within its own limits, or Calando. One step makes it
 * obey, and taken back restores governor, limits and clock; what it is told meanwhile is the affair
 * of {@link PolicyClock}. Leased. Thread safe.
 */
final class PolicyKnob implements Knob<PolicySettings> {
  static final KnobId<PolicySettings> ID = new KnobId<>("cpufreq", PolicySettings.class);

  private final SysfsFiles files;
  private final Path folder;
  private final LastClock last;
  private final boolean force;

  /**
   * A knob.
   *
   * @param files how its attributes are read and written
   * @param folder the policy
   * @param last the clock that was last written, for whoever takes it back
   * @param force whether to restore also what somebody else has changed since
   */
  PolicyKnob(SysfsFiles files, Path folder, LastClock last, boolean force) {
    this.files = files;
    this.folder = folder;
    this.last = last;
    this.force = force;
  }

  @Override
  public KnobId<PolicySettings> id() {
    return ID;
  }

  @Override
  public String target() {
    return folder.toString();
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.LEASED;
  }

  @Override
  public PolicySettings current() {
    try {
      return PolicySettings.read(files, folder);
    } catch (IOException e) {
      throw new FailedWorkException(
          "the clock's settings cannot be read: " + e,
          folder.toString(),
          "are its processors online?",
          e);
    }
  }

  @Override
  public Plan plan(PolicySettings from, PolicySettings to) {
    return new Plan(ID.name(), target(), to.text(), List.of(new Lease(from, to)));
  }

  private final class Lease implements Plan.Action {
    private final PolicySettings from;
    private final PolicySettings to;
    private final AtomicBoolean performed = new AtomicBoolean();

    Lease(PolicySettings from, PolicySettings to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public String name() {
      return "lease";
    }

    @Override
    public String describe() {
      return "have %s obey: governor %s, limits %d to %d kHz"
          .formatted(folder, to.governor(), to.minKHz(), to.maxKHz());
    }

    @Override
    public void perform() {
      try {
        PolicySettings now = current();
        PolicyFiles policy = new PolicyFiles(files, folder);
        policy.limits(now, to.minKHz(), to.maxKHz());
        if (!now.governor().equals(to.governor())) {
          policy.write(PolicySettings.GOVERNOR, to.governor());
        }
        performed.set(true);
      } catch (IOException e) {
        throw new FailedWorkException(
            "refused: " + e, folder.toString(), "see ./calando clocks for what can be set", e);
      }
    }

    /**
     * Never before it was performed: also one that changes nothing now has to be taken back. Limits
     * may read back stricter: a hot machine's is in force beside the one that was written.
     */
    @Override
    public boolean isDone() {
      return performed.get() && current().governor().equals(to.governor());
    }

    @Override
    public void undo() {
      new PolicyRestoration(files, folder, from, to, last, force).run();
    }
  }
}
