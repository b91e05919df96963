package org.calando.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.knob.KnobAgents;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobType;
import org.calando.power.MeterException;
import org.calando.power.agent.AgentQuestions;
import org.calando.power.agent.AgentSource;
import org.jspecify.annotations.Nullable;

/**
 * Knobs of processes that agents reach on their machines. All agents' lease begins with the first
 * that is set and ends with the last that is as before; an agent that hears nothing of this process
 * restores what it has set. Thread safe.
 */
public final class AgentKnobs implements KnobAgents {
  /** Agents answer within six seconds. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final List<NodeProcess> processes;
  private final Map<AgentSource, AgentQuestions> questions = new HashMap<>(); // guarded by itself
  private @Nullable HeldAgents held; // guarded by this

  /**
   * A process of a node.
   *
   * @param node the node's name
   * @param agent its machine's
   * @param name what the agent's file calls the process
   */
  public record NodeProcess(String node, AgentSource agent, String name) {
    /** In words. */
    @Override
    public String toString() {
      return name + " at " + agent.uri();
    }
  }

  /**
   * Asks nothing yet.
   *
   * @param processes not empty, one of each node
   */
  public AgentKnobs(List<NodeProcess> processes) {
    this.processes =
        processes.stream().sorted(Comparator.comparing(NodeProcess::toString)).toList();
  }

  List<NodeProcess> processes() {
    return processes;
  }

  @Override
  public <V> Knob<V> knob(KnobType<V> type) {
    return new AgentKnob<>(new KnobAxis<>(type), this);
  }

  /** The processes in words, by which owners of their knobs exclude each other. */
  String target() {
    return processes.stream().map(NodeProcess::toString).collect(Collectors.joining(", "));
  }

  @Override
  public Map<String, Long> figures(String bean, String attribute) {
    Map<String, Long> figures = new TreeMap<>();
    for (NodeProcess process : processes) {
      String path = "/v1/jmx/" + process.name() + "/" + bean + "/" + attribute;
      JsonNode figure = ask(process, path, JsonNode.class).path(attribute);
      if (!figure.isNumber()) {
        throw new FailedWorkException(
            "does not report " + attribute + " of " + bean,
            process.toString(),
            "use an agent of this version");
      }
      figures.put(process.node(), figure.asLong());
    }
    return figures;
  }

  /**
   * What a knob is set to, in the words of journals.
   *
   * @throws FailedWorkException if the agent does not tell it
   */
  String value(NodeProcess process, String knob) {
    return state(process, knob).value();
  }

  /**
   * The same; while this has no lease, what it is at rest: a governor that has just died may have
   * it still.
   */
  String current(NodeProcess process, String knob) {
    AgentWire.KnobState state = state(process, knob);
    @Nullable String atRest = state.before();
    return atRest == null || holds() ? state.value() : atRest;
  }

  private synchronized boolean holds() {
    return held != null && !held.isEnding();
  }

  private AgentWire.KnobState state(NodeProcess process, String knob) {
    String path = AgentWire.KNOBS + process.name() + "/" + knob;
    return ask(process, path, AgentWire.KnobState.class);
  }

  private <T> T ask(NodeProcess process, String path, Class<T> type) {
    try {
      AgentQuestions agent = questions(process.agent());
      synchronized (agent) {
        return AgentWire.read(agent.ask(path, MOST_NANOS), type);
      }
    } catch (MeterException e) {
      throw new FailedWorkException(e.what(), process.toString(), e.remedy(), e);
    } catch (IllegalArgumentException e) {
      throw new FailedWorkException(
          "its answer " + e.getMessage(), process.toString(), "use an agent of this version", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("interrupted", process.toString(), "try again", e);
    }
  }

  /** One for all questions: a client of Java 17 keeps its thread until it is collected. */
  private AgentQuestions questions(AgentSource agent) throws MeterException {
    synchronized (questions) {
      @Nullable AgentQuestions known = questions.get(agent);
      if (known == null) {
        known = AgentQuestions.of(agent);
        questions.put(agent, known);
      }
      return known;
    }
  }

  /**
   * Has a knob set, again where somebody else has changed it since; takes the lease if this is the
   * first.
   *
   * @throws org.calando.core.BadRequestException if another governor has it
   * @throws FailedWorkException if the agent does not answer, or cannot set it
   */
  synchronized void want(NodeProcess process, String knob, String value) {
    if (held != null && held.isEnding()) {
      end(held);
    }
    @Nullable HeldAgents now = held;
    if (now == null) {
      now = take();
      held = now;
    }
    AgentLink link = now.link(process.agent());
    if (!link.wantKnob(process.name(), knob, value) && link.isUpToDate()) {
      boolean unused = link.wantKnob(process.name(), knob, null);
      said(link);
      unused = link.wantKnob(process.name(), knob, value);
    }
    said(link);
  }

  /** Whether a knob is wanted so. */
  synchronized boolean isWanted(NodeProcess process, String knob, String value) {
    return held != null
        && !held.isEnding()
        && held.link(process.agent()).isWanted(process.name(), knob, value);
  }

  private HeldAgents take() {
    String name = "knobs-" + Integer.toHexString(target().hashCode());
    HeldAgents next = new HeldAgents(name, "the knobs", GovernorName.fresh());
    boolean taken = false;
    try {
      // Named, so that a lease of nothing is none; no knob of them is wanted yet.
      processes.forEach(process -> next.link(process.agent()).name(process.name()));
      next.begin(holder());
      taken = true;
      return next;
    } finally {
      if (!taken) {
        next.abandon();
      }
    }
  }

  private static String holder() {
    return System.getProperty("user.name", "?")
        + " on "
        + LeasedNodes.hostName()
        + ", process "
        + ProcessHandle.current().pid();
  }

  private static void said(AgentLink link) {
    HeldAgents.await(List.of(link.push()));
    link.requireUpToDate();
  }

  /**
   * Has a knob as before; gives the lease back if it was the last.
   *
   * @throws FailedWorkException if the agent does not say so
   */
  synchronized void release(NodeProcess process, String knob) {
    @Nullable HeldAgents now = held;
    if (now == null) {
      return;
    }
    AgentLink link = now.link(process.agent());
    boolean unused = link.wantKnob(process.name(), knob, null);
    if (now.isEnding() || now.links().stream().allMatch(AgentLink::wantsNothing)) {
      end(now);
    } else {
      said(link);
    }
  }

  /** Gives the lease back; until all agents say so it is not over, and is given back again. */
  private void end(HeldAgents now) {
    now.close();
    held = null;
  }
}
