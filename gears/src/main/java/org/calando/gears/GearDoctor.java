package org.calando.gears;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.CalandoException;
import org.calando.core.layout.gear.OffloadRecord;
import org.calando.power.onoff.PowerSwitch;

/**
 * What is right and wrong with a geared cluster's installation. Changes nothing. Immutable.
 *
 * @param findings one a thing looked at
 */
public record GearDoctor(List<Finding> findings) {
  private static final String POLICY = "dfs.block.replicator.classname";
  private static final String POLICY_CLASS = "org.calando.hdfs.GearPlacementPolicy";
  private static final String HOSTS = "dfs.namenode.hosts.provider.classname";
  private static final String HOSTS_CLASS = "CombinedHostFileManager";
  private static final String MAINTENANCE = "dfs.namenode.maintenance.replication.min";
  private static final String WORK = "dfs.namenode.replication.work.multiplier.per.iteration";
  private static final int LEAST_WORK = 10;

  public GearDoctor {
    findings = List.copyOf(findings);
  }

  /**
   * What was found of one thing.
   *
   * @param what was looked at
   * @param well whether it is right
   * @param says what was found
   * @param remedy what to do; empty if it is right
   */
  public record Finding(String what, boolean well, String says, String remedy) {}

  /** Whether nothing is wrong. */
  public boolean isWell() {
    return findings.stream().allMatch(Finding::well);
  }

  /** Looks at everything. */
  public static GearDoctor of(GearMeans means) {
    List<Finding> findings = new ArrayList<>();
    findings.add(
        new Finding(
            "gear file",
            true,
            GearFiles.describe(means.file()) + ", gear " + means.file().gear(),
            ""));
    findings.add(
        setting(
            means,
            POLICY,
            POLICY_CLASS::equals,
            "name " + POLICY_CLASS + " there, with its jar on the NameNode's class path"));
    findings.add(inForce(means));
    findings.add(
        setting(
            means,
            HOSTS,
            value -> value.endsWith(HOSTS_CLASS),
            "use the provider " + HOSTS_CLASS + ", and a JSON hosts file as dfs.hosts"));
    findings.add(
        setting(
            means,
            MAINTENANCE,
            "1"::equals,
            "set it to 1: a node enters maintenance while each of its blocks has one other"
                + " replica"));
    findings.add(
        setting(
            means,
            WORK,
            value -> isAtLeast(value, LEAST_WORK),
            "set it to "
                + LEAST_WORK
                + " or more, or the old replica of a moved block goes slowly"));
    findings.add(log(means));
    means.cluster().members().forEach(member -> findings.add(node(means, member)));
    return new GearDoctor(findings);
  }

  private static Finding setting(
      GearMeans means, String key, java.util.function.Predicate<String> right, String remedy) {
    Optional<String> value = means.cluster().setting(key);
    boolean well = value.filter(right).isPresent();
    return new Finding(key, well, value.orElse("not set"), well ? "" : remedy);
  }

  private static boolean isAtLeast(String value, int least) {
    try {
      return Integer.parseInt(value) >= least;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static Finding inForce(GearMeans means) {
    Optional<GearCluster.InForce> now = means.cluster().inForce();
    if (now.isEmpty()) {
      return new Finding(
          "placement policy",
          false,
          "the NameNode tells of none",
          "start the NameNode with the jar and calando.gear.file=" + means.path());
    }
    boolean well = now.get().hash().equals(GearFiles.hash(means.path()));
    return new Finding(
        "placement policy",
        well,
        "in gear " + now.get().gear() + (well ? "" : ", by another file than " + means.path()),
        well ? "" : "have calando.gear.file of the NameNode name this file");
  }

  private static Finding log(GearMeans means) {
    String what = "off-load log";
    Optional<Path> file = means.file().log().map(Path::of);
    if (file.isEmpty()) {
      return new Finding(what, true, "none is kept; catch-up finds homes by the layout's rule", "");
    }
    long bytes = OffloadHints.size(file.get());
    boolean well = bytes < OffloadRecord.MAX_LOG_BYTES / 2;
    return new Finding(
        what,
        well,
        bytes + " of at most " + OffloadRecord.MAX_LOG_BYTES + " bytes",
        well ? "" : "drop what is settled: ./calando gear log rebuild, or a shift up");
  }

  private static Finding node(GearMeans means, Member member) {
    String what = "node " + member.number() + " " + member.name();
    boolean on = means.groups().isOn(member.number(), means.file().gear());
    String state = Readability.state(member);
    if (on && !member.serves()) {
      return new Finding(what, false, state, "it is to be on in this gear: look at its log");
    }
    if (on && !means.cluster().answers(member)) {
      return new Finding(
          what,
          false,
          state + ", and does not answer",
          "its process hangs, or cannot be reached: look at its log");
    }
    if (!on && !means.cluster().maintained().contains(member.name())) {
      return new Finding(
          what,
          false,
          state + "; off in this gear, and the hosts file does not say maintenance",
          "the NameNode copies its blocks: ./calando gear up --to the gear it is in, at once");
    }
    if (means.groups().gearOf(member.number()) == 1) {
      return new Finding(what, true, state + "; on in every gear", "");
    }
    try {
      PowerSwitch.State power = means.nodes().stateOf(member.name());
      PowerSwitch.State wanted = on ? PowerSwitch.State.ON : PowerSwitch.State.OFF;
      boolean well = power == wanted;
      return new Finding(
          what,
          well,
          state + "; its switch says " + power,
          well ? "" : "it is to be " + wanted + " in gear " + means.file().gear());
    } catch (CalandoException e) {
      return new Finding(
          what,
          false,
          String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
          "mend its switch");
    }
  }
}
