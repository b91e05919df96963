package org.calando.power.schema;

import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.calando.power.ipmi.IpmiAddress;
import org.calando.power.onoff.CommandSwitch.Commands;
import org.calando.power.onoff.SwitchSpec;
import org.calando.power.onoff.SwitchTimes;
import org.calando.power.onoff.SystemdSwitch;
import org.calando.power.redfish.RedfishSystem;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Tree;
import org.calando.schema.Type;
import org.calando.schema.Types;
import org.calando.schema.Values;

/** What may be said of what turns a node on and off. */
public final class SwitchSchema {
  private static final int MAX_WORDS = 64;
  private static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long MAX_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final String SYSTEMCTL = "systemctl";

  private static final ScalarType<String> PROGRAM =
      text("a program", "[^\\p{Cntrl}]{1,1000}", "a name or path");
  private static final Type<List<String>> ARGV =
      list(text("an argument", "[^\\p{Cntrl}]{0,1000}", "text without line breaks"), 1, MAX_WORDS);
  private static final ScalarType<Pattern> REGEX =
      new ScalarType<>(
          "a regular expression",
          "as Java's Pattern takes it",
          SwitchSchema::regex,
          Pattern::pattern,
          Map.of("type", "string"));

  private static final Key<List<String>> ON =
      Key.of("on", ARGV, "Program and arguments that turn the node on; no shell reads them.")
          .mandatory()
          .example("[/opt/pdu/outlet, \"7\", \"on\"]");
  private static final Key<List<String>> OFF =
      Key.of("off", ARGV, "The same that ask it to shut down.")
          .mandatory()
          .example("[ssh, root@c1, poweroff]");
  private static final Key<List<String>> FORCE_OFF =
      Key.of("force-off", ARGV, "The same that turn it off without asking it.")
          .example("[/opt/pdu/outlet, \"7\", \"off\"]");
  private static final Key<List<String>> STATUS =
      Key.of(
              "status",
              ARGV,
              "The same that read its state: exit code 0 for on, 3 for off, all others are"
                  + " unknown; or what on-when and off-when find in the output.")
          .mandatory()
          .example("[/opt/pdu/outlet, \"7\"]");
  private static final Key<Pattern> ON_WHEN =
      Key.of("on-when", REGEX, "Pattern in the output of status if, and only if, the node is on.")
          .example("'is on\\b'");
  private static final Key<Pattern> OFF_WHEN =
      Key.of("off-when", REGEX, "The same if it is off.").example("'is off\\b'");

  private static final ObjectType<SwitchSpec.Kind> COMMAND_TYPE =
      ObjectType.named("commands of a switch", "Programs of your own that switch the node.")
          .keys(ON, OFF, FORCE_OFF, STATUS, ON_WHEN, OFF_WHEN)
          .check(SwitchSchema::checkCommand)
          .build(SwitchSchema::command);

  private static final ScalarType<String> UNIT_NAME =
      text("a unit", SystemdSwitch.UNIT.pattern(), "the name of a unit");
  private static final Key<String> UNIT =
      Key.of("unit", UNIT_NAME, "The unit that runs the node's server.")
          .mandatory()
          .example("hadoop-datanode.service");
  private static final Key<List<String>> VIA =
      Key.of(
              "via",
              ARGV,
              "Program and arguments that run systemctl on another machine; without it, it runs"
                  + " here.")
          .example("[ssh, \"-oBatchMode=yes\", root@c1]");
  private static final Key<String> SYSTEMCTL_KEY =
      Key.of("systemctl", PROGRAM, "The program, where it is not on the path.")
          .byDefault(SYSTEMCTL)
          .example("/usr/bin/systemctl");
  private static final ObjectType<SwitchSpec.Kind> SYSTEMD_TYPE =
      ObjectType.named(
              "a unit of systemd", "A unit that is started and stopped; its machine stays on.")
          .keys(UNIT, VIA, SYSTEMCTL_KEY)
          .build(SwitchSchema::systemd);

  private static final Key<SwitchSpec.Kind> COMMAND =
      Key.of("command", COMMAND_TYPE, "Programs of your own.")
          .example("{on: [wake, c1], off: [ssh, root@c1, poweroff], status: [is-up, c1]}");
  private static final Key<SwitchSpec.Kind> SYSTEMD =
      Key.of(
              "systemd",
              scalarOrMapping(
                  mapped(
                      UNIT_NAME,
                      unit -> (SwitchSpec.Kind) new SwitchSpec.Systemd(unit, List.of(SYSTEMCTL))),
                  SYSTEMD_TYPE),
              "A unit of systemd, here or on another machine.")
          .example("hadoop-datanode.service");
  private static final Key<IpmiAddress> IPMI =
      Key.of("ipmi", IpmiSchema.SWITCH, "The power of the machine, by its controller over IPMI.")
          .example("10.0.1.1");
  private static final Key<RedfishSystem> REDFISH =
      Key.of(
              "redfish",
              RedfishSchema.SWITCH,
              "The power of the machine, by its controller over Redfish.")
          .example("\"https://10.0.1.1\"");
  private static final Key<SwitchSpec.Kind> SIDECAR =
      Key.of(
              "sidecar",
              AgentKeys.SIDECAR,
              "The lifecycle call of a Cassandra's sidecar; the machine stays on.")
          .example("\"https://10.0.0.1:9043\"");
  private static final Key<String> AGENT =
      Key.of("agent", Types.NAME, "A switch that the file of the node's agent has, by its name.")
          .example("database");
  private static final Key<Long> ON_WITHIN =
      Key.of("on-within", time(), "How long the node may take to be on and answer, boot included.")
          .byDefault("10m")
          .example("5m");
  private static final Key<Long> OFF_WITHIN =
      Key.of("off-within", time(), "How long it may take to be off and silent.")
          .byDefault("5m")
          .example("3m");
  private static final Key<Long> FORCE_AFTER =
      Key.of(
              "force-after",
              time(),
              "After how long a node that was asked to go off is turned off by force, as by a power"
                  + " cut; without it never.")
          .example("2m");
  private static final Key<Long> ASK_WITHIN =
      Key.of("ask-within", time(), "How long one question or order to the switch may take.")
          .byDefault("30s")
          .example("10s");

  /** {@code switch} of a node. */
  public static final ObjectType<SwitchSpec> TYPE =
      ObjectType.named(
              "a switch",
              "What turns the node on and off. It is trusted only when it reads back what it was"
                  + " ordered, and the node's port agrees.")
          .keys(COMMAND, SYSTEMD, IPMI, REDFISH, SIDECAR, AGENT)
          .keys(ON_WITHIN, OFF_WITHIN, FORCE_AFTER, ASK_WITHIN)
          .check(SwitchSchema::check)
          .build(SwitchSchema::build);

  private SwitchSchema() {}

  private static ScalarType<Long> time() {
    return duration(MIN_NANOS, MAX_NANOS);
  }

  private static Pattern regex(Tree.Scalar scalar) throws Refusal {
    try {
      return Pattern.compile(scalar.text());
    } catch (PatternSyntaxException e) {
      throw new Refusal(
          "is not a regular expression: " + e.getDescription(), "correct it, or quote it with \\");
    }
  }

  private static void checkCommand(Values command) {
    for (Key<List<String>> key : List.of(ON, OFF, FORCE_OFF, STATUS)) {
      if (command.find(key).map(argv -> argv.get(0).isEmpty()).orElse(false)) {
        command.error(key, "names no program", "write the program first");
      }
    }
    if (command.given(ON_WHEN) != command.given(OFF_WHEN)) {
      Key<Pattern> missing = command.given(ON_WHEN) ? OFF_WHEN : ON_WHEN;
      command.require("give on-when and off-when together", missing);
    }
  }

  private static void check(Values node) {
    node.requireExactlyOne(COMMAND, SYSTEMD, IPMI, REDFISH, SIDECAR, AGENT);
    Optional<Long> force = node.find(FORCE_AFTER);
    Optional<Long> off = node.find(OFF_WITHIN);
    if (force.isPresent() && off.isPresent() && force.get() >= off.get()) {
      node.error(FORCE_AFTER, "is not shorter than off-within", "leave time for the forced order");
    }
    boolean canForce =
        node.find(COMMAND).or(() -> node.find(SIDECAR)).map(SwitchSpec.Kind::canForce).orElse(true);
    if (node.given(FORCE_AFTER) && !canForce) {
      node.error(
          FORCE_AFTER,
          "there is no force-off",
          node.given(COMMAND) ? "give command a force-off, or remove it" : "remove it");
    }
  }

  private static SwitchSpec.Kind command(Values command) {
    return new SwitchSpec.Command(
        new Commands(
            command.get(ON),
            command.get(OFF),
            command.find(FORCE_OFF),
            command.get(STATUS),
            command.find(ON_WHEN),
            command.find(OFF_WHEN)));
  }

  private static SwitchSpec.Kind systemd(Values systemd) {
    List<String> program = new ArrayList<>(systemd.find(VIA).orElse(List.of()));
    program.add(systemd.get(SYSTEMCTL_KEY));
    return new SwitchSpec.Systemd(systemd.get(UNIT), program);
  }

  private static SwitchSpec build(Values node) {
    SwitchSpec.Kind kind =
        node.find(COMMAND)
            .or(() -> node.find(SYSTEMD))
            .or(() -> node.find(IPMI).map(SwitchSpec.Ipmi::new))
            .or(() -> node.find(REDFISH).map(SwitchSpec.Redfish::new))
            .or(() -> node.find(SIDECAR))
            .or(() -> node.find(AGENT).map(name -> new SwitchSpec.OfAgent(Optional.empty(), name)))
            .orElseThrow();
    SwitchTimes times = SwitchTimes.USUAL.within(nanos(node, ON_WITHIN), nanos(node, OFF_WITHIN));
    return new SwitchSpec(
        kind,
        nanos(node, ASK_WITHIN),
        node.find(FORCE_AFTER).map(Duration::ofNanos).map(times::forcing).orElse(times));
  }

  private static Duration nanos(Values node, Key<Long> key) {
    return Duration.ofNanos(node.get(key));
  }
}
