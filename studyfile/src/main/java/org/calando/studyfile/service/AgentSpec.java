package org.calando.studyfile.service;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.calando.http.Listening;
import org.calando.power.ipmi.IpmiSource;
import org.calando.power.jmx.JmxSource;
import org.calando.power.onoff.SwitchSpec;

/**
 * What {@code calando agent} does on its machine. Immutable and thread safe.
 *
 * @param listen where governors ask it
 * @param cpus the folder of the machine's processors, or one that looks like it
 * @param powercap the folder of the energy counters of its processors
 * @param controller the machine's management controller; empty if its power is not read
 * @param switches what it may turn on and off for governors, by name
 * @param jmx processes whose figures it reads for governors, by name
 */
public record AgentSpec(
    Listening listen,
    Path cpus,
    Path powercap,
    Optional<IpmiSource> controller,
    Map<String, SwitchSpec> switches,
    Map<String, JmxSource> jmx) {
  /** Where an agent listens if its file does not say. */
  public static final int USUAL_PORT = 7475;

  /** Copies the maps. */
  public AgentSpec {
    switches = Map.copyOf(switches);
    jmx = Map.copyOf(jmx);
  }
}
