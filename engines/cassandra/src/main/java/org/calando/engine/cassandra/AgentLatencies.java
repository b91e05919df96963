package org.calando.engine.cassandra;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.calando.power.MeterException;
import org.calando.power.agent.AgentQuestions;
import org.calando.power.agent.AgentSource;
import org.calando.store.cassandra.NodeLatencies;
import org.jspecify.annotations.Nullable;

/** The histogram of a node's reads, through the agent of its machine. */
final class AgentLatencies implements NodeLatencies {
  private static final String READS =
      "org.apache.cassandra.metrics:type=ClientRequest,scope=Read,name=Latency";
  private static final String VALUES = "values()";
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final AgentSource agent;
  private final String name;
  private @Nullable AgentQuestions questions; // guarded by this

  /**
   * Asks nothing yet.
   *
   * @param name what the agent's file calls the node's JMX
   */
  AgentLatencies(AgentSource agent, String name) {
    this.agent = agent;
    this.name = name;
  }

  @Override
  public CompletableFuture<long[]> ask() {
    CompletableFuture<long[]> answer = new CompletableFuture<>();
    var unused =
        DaemonThread.start(
            "calando-histogram",
            () -> {
              try {
                answer.complete(counts());
              } catch (InterruptedException | RuntimeException | Error e) {
                answer.completeExceptionally(e);
              }
            });
    return answer;
  }

  /** One at a time: {@link AgentQuestions} take no two. */
  private synchronized long[] counts() throws InterruptedException {
    try {
      @Nullable AgentQuestions known = questions;
      if (known == null) {
        known = AgentQuestions.of(agent);
        questions = known;
      }
      String text = known.ask("/v1/jmx/" + name + "/" + READS + "/" + VALUES, DEADLINE_NANOS);
      JsonNode counts = JSON.readTree(text).path(VALUES);
      if (counts.isEmpty()) {
        throw new FailedWorkException(
            "has no histogram of reads", toString(), "is it a Cassandra's JMX?");
      }
      return StreamSupport.stream(counts.spliterator(), false)
          .mapToLong(JsonNode::asLong)
          .toArray();
    } catch (MeterException e) {
      throw new FailedWorkException(e.what(), toString(), e.remedy(), e);
    } catch (JsonProcessingException e) {
      throw new FailedWorkException(
          "does not answer in JSON", toString(), "is it an agent of this version?", e);
    }
  }

  @Override
  public String toString() {
    return "JMX " + name + " of " + agent.describe();
  }
}
