package org.calando.power.agent;

import java.net.URI;
import java.util.List;
import org.calando.http.HttpPeer;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSource;
import org.calando.power.Ticker;

/**
 * The agent of a machine, which reads the energy counters of its processors.
 *
 * @param uri such as {@code https://10.0.0.1:7475}
 * @param access what it takes to be answered
 * @param readsController whether it also reads the power of the machine by its management
 *     controller: {@link AgentPower}
 */
public record AgentSource(URI uri, HttpPeer.Access access, boolean readsController)
    implements PowerSource {
  /** Kind of this source. */
  public static final String KIND = "agent";

  /** One that reads its machine's processors only. */
  public AgentSource(URI uri, HttpPeer.Access access) {
    this(uri, access, false);
  }

  /** All that it reads of the power of its machine. */
  public List<PowerSource> all() {
    return readsController ? List.of(this, new AgentPower(this)) : List.of(this);
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public String describe() {
    return "agent " + uri;
  }

  @Override
  public PowerProbe open(Ticker ticker) throws MeterException {
    return AgentProbe.open(this, ticker);
  }
}
