package org.calando.power.onoff;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.calando.http.HttpPeer;
import org.calando.power.Ticker;
import org.calando.power.agent.AgentSource;
import org.calando.power.ipmi.IpmiAddress;
import org.calando.power.redfish.RedfishSystem;

/**
 * How a node is turned on and off, as its file says. Immutable and thread safe.
 *
 * @param kind what turns it
 * @param askWithin how long one question or order to the switch may take; above 0
 * @param times how long switching may take
 */
public record SwitchSpec(Kind kind, Duration askWithin, SwitchTimes times) {
  /** One question or order of usual switches: a controller may take ten seconds for a session. */
  public static final Duration USUAL_ASK = Duration.ofSeconds(30);

  /** What turns a node on and off. */
  public sealed interface Kind {
    /** Whether it can be turned off without being asked. */
    default boolean canForce() {
      return true;
    }
  }

  /** Programs of the user's own. */
  public record Command(CommandSwitch.Commands commands) implements Kind {
    @Override
    public boolean canForce() {
      return commands.forceOff().isPresent();
    }
  }

  /**
   * A unit of systemd.
   *
   * @param unit its name
   * @param systemctl the program, with what leads to it
   */
  public record Systemd(String unit, List<String> systemctl) implements Kind {
    /** Copies the list. */
    public Systemd {
      systemctl = List.copyOf(systemctl);
    }
  }

  /** A management controller with IPMI. */
  public record Ipmi(IpmiAddress bmc) implements Kind {}

  /** A management controller with Redfish. */
  public record Redfish(RedfishSystem system) implements Kind {}

  /**
   * The sidecar of a Cassandra.
   *
   * @param uri where it answers
   * @param access what it takes to be answered
   */
  public record Sidecar(URI uri, HttpPeer.Access access) implements Kind {
    @Override
    public boolean canForce() {
      return false;
    }
  }

  /**
   * A switch that an agent has.
   *
   * @param agent whose; empty for that of the node itself, before it is known
   * @param name what the agent's file calls it
   */
  public record OfAgent(Optional<AgentSource> agent, String name) implements Kind {}

  /** The same, of an agent where it names none. */
  public SwitchSpec of(AgentSource agent) {
    return kind instanceof OfAgent its && its.agent().isEmpty()
        ? new SwitchSpec(new OfAgent(Optional.of(agent), its.name()), askWithin, times)
        : this;
  }

  /** Whether it is a switch of the node's own agent. */
  public boolean needsAgent() {
    return kind instanceof OfAgent its && its.agent().isEmpty();
  }

  /** Refuses force where there is none, and deadlines of nothing. */
  public SwitchSpec {
    if (askWithin.isNegative() || askWithin.isZero()) {
      throw new IllegalArgumentException("ask-within must be above 0");
    }
    if (times.forceAfter().isPresent() && !kind.canForce()) {
      throw new IllegalArgumentException("force-after needs a force-off");
    }
  }

  /**
   * The switch itself; asks nothing yet.
   *
   * @param node the node's name, for messages
   */
  public PowerSwitch plain(String node, Ticker ticker) {
    // A sealed type; Java 17 has no switch over it.
    if (kind instanceof Command command) {
      return new CommandSwitch(node, command.commands(), askWithin);
    } else if (kind instanceof Systemd systemd) {
      return new SystemdSwitch(node, systemd.unit(), systemd.systemctl(), askWithin);
    } else if (kind instanceof Ipmi ipmi) {
      return new IpmiSwitch(node, ipmi.bmc(), askWithin, ticker);
    } else if (kind instanceof Sidecar its) {
      return new SidecarSwitch(node, its.uri(), its.access(), askWithin);
    } else if (kind instanceof OfAgent its) {
      return new AgentSwitch(node, its.agent().orElseThrow(), its.name(), askWithin);
    } else {
      return new RedfishSwitch(node, ((Redfish) kind).system(), askWithin, ticker);
    }
  }

  /**
   * The switch whose orders hold when they return.
   *
   * @param node the node's name, for messages
   * @param lookout what sees whether the node answers; empty if only the switch's word counts
   */
  public VerifiedSwitch verified(String node, Optional<Lookout> lookout, Ticker ticker) {
    return new VerifiedSwitch(plain(node, ticker), lookout, times, ticker);
  }
}
