package org.calando.power.host;

import org.calando.power.MeterException;
import org.calando.power.NodeUsage;
import org.calando.power.Ticker;
import org.calando.power.agent.AgentQuestions;
import org.calando.power.agent.AgentSource;

/**
 * A machine whose agent tells what it uses, in the words of node_exporter's page.
 *
 * @param agent the agent
 */
public record AgentHost(AgentSource agent) implements HostSource {
  private static final String PATH = "/v1/host";

  @Override
  public String describe() {
    return agent.describe();
  }

  @Override
  public HostProbe open(Ticker ticker) throws MeterException {
    return new Probe(this, AgentQuestions.of(agent), ticker);
  }

  private static final class Probe implements HostProbe {
    private final AgentHost host;
    private final AgentQuestions questions;
    private final Ticker ticker;
    private final BootTrack boots = new BootTrack();

    Probe(AgentHost host, AgentQuestions questions, Ticker ticker) {
      this.host = host;
      this.questions = questions;
      this.ticker = ticker;
    }

    @Override
    public NodeUsage sample(long deadlineNanos) throws MeterException, InterruptedException {
      long sent = ticker.nanos();
      String answer = questions.ask(PATH, deadlineNanos - sent);
      NodeExporterPage page = new NodeExporterPage();
      Exposition.read(answer, page);
      return page.figures(sent + (ticker.nanos() - sent) / 2, boots, host.describe());
    }

    @Override
    public void close() {
      questions.close();
    }
  }
}
