package org.calando.power.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.calando.core.energy.Scope;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.ProbeInfo;
import org.calando.power.Ticker;
import org.calando.power.internal.EnergyCounter;

/** Asks an agent for the joules of its machine's processors. */
final class AgentProbe implements PowerProbe {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long OPEN_NANOS = 5_000_000_000L;

  private final AgentSource source;
  private final AgentQuestions questions;
  private final Ticker ticker;
  private EnergyCounter counter = new EnergyCounter(1);
  private double former;
  private double advanced;
  private long since = Long.MIN_VALUE;
  private long resets;
  private String resolution = "";

  private AgentProbe(AgentSource source, AgentQuestions questions, Ticker ticker) {
    this.source = source;
    this.questions = questions;
    this.ticker = ticker;
  }

  static AgentProbe open(AgentSource source, Ticker ticker) throws MeterException {
    AgentProbe probe = new AgentProbe(source, AgentQuestions.of(source), ticker);
    try {
      PowerSample unused = probe.sample(ticker.nanos() + OPEN_NANOS);
      return probe;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MeterException("interrupted while it was opened", source.describe(), "", e);
    }
  }

  @Override
  public ProbeInfo info() {
    return new ProbeInfo(Scope.PACKAGE, resolution, 0, true, false, false);
  }

  @Override
  public PowerSample sample(long deadlineNanos) throws MeterException, InterruptedException {
    long sent = ticker.nanos();
    JsonNode answer = ask(deadlineNanos - sent);
    long at = sent + (ticker.nanos() - sent) / 2;
    JsonNode began = answer.get("since");
    JsonNode joules = answer.get("joules");
    if (began == null || joules == null || !joules.isNumber()) {
      throw wrong("does not report how many joules there were");
    }
    // An agent that has started again counts from 0: what was used meanwhile is not known.
    boolean again = since != Long.MIN_VALUE && since != began.asLong();
    if (again) {
      former = advanced;
      counter = new EnergyCounter(1);
    }
    boolean anew = since != Long.MIN_VALUE && !again && resets != answer.path("resets").asLong();
    since = began.asLong();
    resets = answer.path("resets").asLong();
    resolution = answer.path("resolution").asText();
    PowerSample.Energy energy = counter.advance(at, joules.asDouble());
    advanced = former + energy.joules();
    return new PowerSample.Energy(at, advanced, again || anew || energy.reset());
  }

  private JsonNode ask(long nanos) throws MeterException, InterruptedException {
    try {
      return JSON.readTree(questions.ask("/v1/energy", nanos));
    } catch (JsonProcessingException e) {
      throw new MeterException(
          "its answer is no JSON", source.describe(), "is it an agent of Calando's?", e);
    }
  }

  private MeterException wrong(String what) {
    return new MeterException(what, source.describe(), "is it an agent of this version?");
  }

  @Override
  public void close() {
    questions.close();
  }
}
