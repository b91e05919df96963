package org.calando.power.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.calando.core.energy.Scope;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.PowerSource;
import org.calando.power.ProbeInfo;
import org.calando.power.Ticker;

/**
 * The management controller of an agent's machine, which the agent reads by the machine's own
 * interface. Immutable and thread safe.
 *
 * @param agent the agent
 */
public record AgentPower(AgentSource agent) implements PowerSource {
  /** What an agent says of a controller that it opens: it is asked again then. */
  public static final String OPENING = "is being opened";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long AGAIN_NANOS = 500_000_000L;

  /** The agent looks for sensors first. */
  private static final long OPEN_NANOS = 45_000_000_000L;

  @Override
  public String kind() {
    return "ipmi";
  }

  @Override
  public String describe() {
    return agent.describe() + ", its machine's controller";
  }

  @Override
  public PowerProbe open(Ticker ticker) throws MeterException {
    Probe probe = new Probe(this, AgentQuestions.of(agent), ticker);
    try {
      probe.await(ticker.nanos() + OPEN_NANOS);
      return probe;
    } catch (MeterException e) {
      probe.close();
      throw e;
    } catch (InterruptedException e) {
      probe.close();
      Thread.currentThread().interrupt();
      throw new MeterException("interrupted while it was opened", describe(), "", e);
    }
  }

  private static final class Probe implements PowerProbe {
    private final AgentPower source;
    private final AgentQuestions questions;
    private final Ticker ticker;
    private String resolution = "";
    private long renewalNanos;

    Probe(AgentPower source, AgentQuestions questions, Ticker ticker) {
      this.source = source;
      this.questions = questions;
      this.ticker = ticker;
    }

    /** Asks until there is an answer: a connection ends before a controller may be open. */
    void await(long untilNanos) throws MeterException, InterruptedException {
      while (true) {
        try {
          PowerSample unused = sample(untilNanos);
          return;
        } catch (MeterException e) {
          if (!e.what().endsWith(OPENING) || ticker.nanos() + AGAIN_NANOS - untilNanos >= 0) {
            throw e;
          }
        }
        ticker.awaitUntil(ticker.nanos() + AGAIN_NANOS);
      }
    }

    @Override
    public ProbeInfo info() {
      return new ProbeInfo(Scope.HOST, resolution, renewalNanos, false, false, false);
    }

    @Override
    public PowerSample sample(long deadlineNanos) throws MeterException, InterruptedException {
      long sent = ticker.nanos();
      String answer = questions.ask("/v1/power", deadlineNanos - sent);
      long at = sent + (ticker.nanos() - sent) / 2;
      JsonNode power;
      try {
        power = JSON.readTree(answer);
      } catch (JsonProcessingException e) {
        throw new MeterException(
            "its answer is no JSON", source.describe(), "is it an agent of Calando's?", e);
      }
      JsonNode watts = power.path("watts");
      if (!watts.isNumber() || !(watts.asDouble() >= 0)) {
        throw new MeterException(
            "does not report how many watts", source.describe(), "is it an agent of this version?");
      }
      resolution = power.path("resolution").asText();
      renewalNanos = power.path("renewalNanos").asLong();
      return new PowerSample.Power(at, watts.asDouble());
    }

    @Override
    public void close() {
      questions.close();
    }
  }
}
