package org.calando.studyfile.service;

import static org.calando.schema.Types.mapOf;
import static org.calando.schema.Types.path;

import java.nio.file.Path;
import java.util.Map;
import org.calando.clock.CpufreqTree;
import org.calando.power.ipmi.IpmiSource;
import org.calando.power.jmx.JmxSource;
import org.calando.power.onoff.SwitchSpec;
import org.calando.power.powercap.PowercapSource;
import org.calando.power.schema.JmxSchema;
import org.calando.power.schema.SourceSchema;
import org.calando.power.schema.SwitchSchema;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Types;
import org.calando.schema.Values;

/** What the file of {@code calando agent} may say. */
public final class AgentSchema {
  private static final ListenKeys LISTENS =
      ListenKeys.of("Where governors ask the agent.", AgentSpec.USUAL_PORT);
  private static final Key<Path> SYSFS =
      Key.of(
              "sysfs",
              path("a folder"),
              "Folder of the processors; another one than the machine's is for tests.")
          .byDefault(CpufreqTree.MACHINE.toString())
          .example("/tmp/fake/cpu");
  private static final Key<Path> POWERCAP =
      Key.of("powercap", path("a folder"), "Folder of the energy counters of the processors.")
          .byDefault(PowercapSource.SYSTEM.toString())
          .example("/tmp/fake/powercap");

  private static final Key<IpmiSource> CONTROLLER =
      Key.of(
              "ipmi",
              SourceSchema.CONTROLLER,
              "The machine's management controller, whose power governors may read; local for the"
                  + " machine's own interface.")
          .example("local");
  private static final Key<Map<String, SwitchSpec>> SWITCHES =
      Key.of(
              "switches",
              mapOf(Types.NAME, SwitchSchema.TYPE),
              "What governors may turn on and off here, by the names that inventories use.")
          .example("{database: {systemd: database.service}}");
  private static final Key<Map<String, JmxSource>> JMX =
      Key.of(
              "jmx",
              mapOf(Types.NAME, JmxSchema.TYPE),
              "Processes of this machine whose metrics governors may read over JMX, and whose knobs"
                  + " they may set, by the names that inventories use.")
          .example("{database: \"127.0.0.1:7199\"}");

  /** The file. */
  public static final ObjectType<AgentSpec> TYPE =
      ObjectType.named("an agent", "What ./calando agent does on its machine.")
          .keys(
              LISTENS.address(),
              LISTENS.tls(),
              LISTENS.tokens(),
              SYSFS,
              POWERCAP,
              CONTROLLER,
              SWITCHES,
              JMX)
          .check(AgentSchema::check)
          .build(
              agent ->
                  new AgentSpec(
                      LISTENS.find(agent).orElseThrow(),
                      agent.get(SYSFS),
                      agent.get(POWERCAP),
                      agent.find(CONTROLLER),
                      agent.find(SWITCHES).orElse(Map.of()),
                      agent.find(JMX).orElse(Map.of())));

  private AgentSchema() {}

  private static void check(Values agent) {
    LISTENS.check(agent);
    if (agent.find(LISTENS.address()).map(java.util.Optional::isEmpty).orElse(false)) {
      agent.error(LISTENS.address(), "is off", "an agent has to listen: write an address");
    }
    if (agent.find(SWITCHES).orElse(Map.of()).values().stream().anyMatch(SwitchSpec::needsAgent)) {
      agent.error(SWITCHES, "has a switch of another agent", "name what turns it here");
    }
  }
}
