package org.calando.power;

import java.util.ArrayList;
import java.util.List;
import org.calando.power.internal.Poller;

/**
 * Adds what nodes received and sent, as their engine counts it, to what they use: processes that
 * share a machine's network have no counters of their own there. Thread safe.
 *
 * <p>Nobody waits for these counters: a row holds the newest figures, up to one interval old.
 */
public final class NetworkUsage extends UsageOver implements AutoCloseable {
  private final Poller<Bytes> poller;

  /**
   * What a node received and sent since its start.
   *
   * @param received bytes
   * @param sent bytes
   */
  public record Bytes(long received, long sent) {}

  /** Asks a node's engine; may take a while. */
  @FunctionalInterface
  public interface Counters {
    /**
     * Reads a node's counters.
     *
     * @param node index of the node, from 0
     * @throws MeterException if it does not answer
     */
    Bytes read(int node) throws MeterException;
  }

  /**
   * Asks nobody yet.
   *
   * @param base tells all but the network; closed by its owner
   * @param counters tells the network
   * @param nodes number of nodes
   * @param ticker clock of the sampling
   */
  public NetworkUsage(UsageSource base, Counters counters, int nodes, Ticker ticker) {
    super(base);
    List<Poller.Question<Bytes>> questions = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      int node = i;
      questions.add(deadlineNanos -> counters.read(node));
    }
    poller = new Poller<>("calando-network", questions, ticker);
  }

  @Override
  public NodeUsage read(int node) throws MeterException {
    NodeUsage usage = base().read(node);
    Poller.Answer<Bytes> answer = poller.answer(node);
    Bytes bytes = answer.late() ? null : answer.value();
    boolean known = usage.netReceivedBytes() != NodeUsage.UNKNOWN;
    return known || bytes == null ? usage : usage.withNetwork(bytes.received(), bytes.sent());
  }

  @Override
  public Refresh refresh(long deadlineNanos) {
    var unused = poller.ask(deadlineNanos);
    return super.refresh(deadlineNanos);
  }

  @Override
  public long ownCpuNanos() {
    return super.ownCpuNanos() + poller.ownCpuNanos();
  }

  @Override
  public void close() {
    poller.close();
  }
}
