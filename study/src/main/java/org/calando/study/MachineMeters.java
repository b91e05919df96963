package org.calando.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.calando.core.energy.NodeProfile;
import org.calando.power.EnergyReading;
import org.calando.power.Meter;
import org.calando.power.MeterException;
import org.calando.power.MeteredNode;
import org.calando.power.Meters;
import org.calando.power.NodeProcess;
import org.calando.power.ProcessCpu;
import org.calando.power.ProcessUsage;
import org.calando.power.Ticker;
import org.calando.power.UsageSource;

/** The meters of this machine, tried out on this very process for a second. */
public final class MachineMeters {
  private static final long TRIAL_NANOS = 1_000_000_000L;

  private MachineMeters() {}

  /**
   * What became of trying a meter.
   *
   * @param id the meter's name
   * @param usable whether it gave a reading
   * @param provenance how its figures come about, empty if it is not usable
   * @param watts mean power in the trial, NaN if it is not usable
   * @param reason why it is not usable, or what the reading is of
   */
  public record Finding(
      String id, boolean usable, String provenance, double watts, String reason) {}

  /**
   * Tries every meter; takes a second.
   *
   * @param profile node profile for meters that model
   */
  public static List<Finding> find(NodeProfile profile) throws InterruptedException {
    List<MeteredNode> nodes = List.of(new MeteredNode("this process", profile));
    List<Finding> findings = new ArrayList<>();
    try {
      ProcessCpu processes = ProcessCpu.ofThisMachine();
      NodeProcess self = processes.identify(ProcessHandle.current().pid());
      UsageSource usage = new ProcessUsage(processes, nodes, List.of(self));
      Meters.Choice choice =
          Meters.open(Meters.AUTO, nodes, usage, Ticker.system(), TRIAL_NANOS, "meters");
      try (Meter meter = choice.meter()) {
        String chosen = meter.info().id();
        for (String reason : choice.reasons()) {
          String id = reason.substring(0, reason.indexOf(':'));
          if (!id.equals(chosen)) {
            findings.add(
                new Finding(id, false, "", Double.NaN, reason.substring(id.length() + 1).strip()));
          }
        }
        Ticker.system().awaitUntil(System.nanoTime() + TRIAL_NANOS);
        EnergyReading reading = meter.read(0);
        findings.add(
            new Finding(
                chosen,
                true,
                meter.info().provenance().name().toLowerCase(Locale.ROOT),
                reading.meanWatts(),
                "a node of profile " + profile.name() + " that runs this command only"));
      }
    } catch (MeterException e) {
      throw e.toFailedWork();
    }
    return findings;
  }
}
