package org.calando.gears;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.calando.core.CalandoException;
import org.calando.core.layout.gear.OffloadRecord;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchBoard;

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
    Finding hosts = hostsFile(means);
    findings.add(hosts);
    if (hosts.well()) {
      int gear = GearFiles.read(means.path()).gear();
      findings.addAll(nodes(means, gear, means.nodes()::stateOf));
    }
    unfinished(means).ifPresent(findings::add);
    return new GearDoctor(findings);
  }

  /**
   * What is wrong with a cluster that was installed right: an unfinished plan, a policy that is not
   * in force, nodes that are not as they are to be. Of nodes that the plan is about only the plan
   * is told, which says how to go on. In the order to work in.
   *
   * @param gear that the gear file tells
   * @param power what nodes' switches say, by name
   */
  static List<Finding> wrong(GearMeans means, int gear, Map<String, PowerSwitch.State> power) {
    List<Finding> findings = new ArrayList<>();
    findings.addAll(
        nodes(means, gear, name -> power.getOrDefault(name, PowerSwitch.State.UNKNOWN)));
    // After the nodes: it is not resumed while one that it relies on does not serve.
    unfinished(means).ifPresentOrElse(findings::add, () -> findings.add(inForce(means)));
    return findings.stream().filter(finding -> !finding.well()).toList();
  }

  /** One a node, but for those that an unfinished plan is about. */
  private static List<Finding> nodes(
      GearMeans means, int gear, Function<String, PowerSwitch.State> power) {
    Set<String> moving = moving(means);
    return means.cluster().members().stream()
        .filter(member -> !moving.contains(member.name()))
        .map(member -> node(means, gear, member, power))
        .toList();
  }

  /**
   * Of nodes that are to be on in the gear that the gear file tells, those that do not serve or
   * answer; but for those that were left in maintenance.
   */
  public static List<Finding> missing(GearMeans means) {
    int gear = GearFiles.read(means.path()).gear();
    Set<String> resting = means.cluster().maintained();
    return means.cluster().members().stream()
        .filter(member -> means.groups().isOn(member.number(), gear))
        .filter(member -> !resting.contains(member.name()))
        .map(member -> service(means, gear, member))
        .filter(found -> !found.well())
        .toList();
  }

  private static Optional<Finding> unfinished(GearMeans means) {
    return GearShifter.unfinished(means.path())
        .map(
            last ->
                new Finding(
                    "plan",
                    false,
                    "there is an unfinished plan to gear %d of %s"
                        .formatted(GearSetting.parse(last.value()).gear(), last.at()),
                    Remedies.plan(means)));
  }

  /** The nodes that an unfinished plan is about. */
  static Set<String> moving(GearMeans means) {
    Set<String> moving = new TreeSet<>();
    GearShifter.unfinished(means.path())
        .ifPresent(
            last -> {
              GearSetting from = GearSetting.parse(last.before());
              GearSetting to = GearSetting.parse(last.value());
              int low = Math.min(from.gear(), to.gear());
              moving.addAll(means.between(low, Math.max(from.gear(), to.gear())));
              moving.addAll(from.without());
              moving.addAll(to.without());
              moving.addAll(to.reports().keySet());
            });
    return moving;
  }

  private static Finding setting(
      GearMeans means, String key, Predicate<String> right, String remedy) {
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
          "the NameNode reports none",
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

  /** Without it nobody can tell which nodes are to rest. */
  private static Finding hostsFile(GearMeans means) {
    String what = "hosts file";
    try {
      int resting = means.cluster().maintained().size();
      return new Finding(what, true, "lists all nodes, " + resting + " in maintenance", "");
    } catch (CalandoException e) {
      return new Finding(what, false, e.problem(), e.remedy());
    }
  }

  /** How a node serves, and what its switch says; one that is always on needs none. */
  private static Finding node(
      GearMeans means, int gear, Member member, Function<String, PowerSwitch.State> power) {
    Finding found = service(means, gear, member);
    boolean switched = means.switches().containsKey(member.name());
    if (!found.well() || (!switched && means.groups().gearOf(member.number()) == 1)) {
      return found;
    }
    if (!switched) {
      return new Finding(found.what(), false, "nothing switches it", SwitchBoard.NO_SWITCH);
    }
    boolean on = means.groups().isOn(member.number(), gear);
    try {
      return power(
          found, power.apply(member.name()), on ? PowerSwitch.State.ON : PowerSwitch.State.OFF);
    } catch (CalandoException e) {
      return new Finding(found.what(), false, e.problem(), e.remedy());
    }
  }

  /**
   * What was found of a node that is right but for its switch, with what its switch says. One that
   * does not say is wrong: no shift would believe it.
   *
   * @param found of the node, without its switch
   * @param is what its switch says
   * @param wanted what it is to say
   */
  public static Finding power(Finding found, PowerSwitch.State is, PowerSwitch.State wanted) {
    return is == wanted
        ? new Finding(found.what(), true, found.says() + "; its switch says " + is, "")
        : new Finding(
            found.what(),
            false,
            found.says() + "; its switch says " + is + ", and it should be " + wanted,
            SwitchBoard.DOUBTFUL);
  }

  /** Whether a node serves that is to be on, and is in maintenance that is to be off. */
  private static Finding service(GearMeans means, int gear, Member member) {
    String what = "node " + member.number() + " " + member.name();
    boolean on = means.groups().isOn(member.number(), gear);
    String state = member.state();
    if (on && !(member.serves() && means.cluster().answers(member))) {
      return new Finding(
          what,
          false,
          "it should be on in gear "
              + gear
              + ", and does not "
              + (member.serves() ? "answer" : "serve: " + state),
          Remedies.member(means, member, gear));
    }
    if (!on && !means.cluster().maintained().contains(member.name())) {
      return new Finding(
          what,
          false,
          state + "; off in this gear, and the hosts file does not say maintenance",
          Remedies.copied(means, gear));
    }
    boolean always = means.groups().gearOf(member.number()) == 1;
    return new Finding(what, true, state + (always ? "; on in every gear" : ""), "");
  }
}
