package org.calando.power.onoff;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.UUID;
import org.calando.core.FailedWorkException;
import org.calando.power.MeterException;
import org.calando.power.agent.AgentQuestions;
import org.calando.power.agent.AgentSource;
import org.jspecify.annotations.Nullable;

/**
 * A switch that the file of a machine's agent names: what it does is said there, and an order only
 * says which, and whether on or off. Thread safe.
 */
public final class AgentSwitch implements PowerSwitch {
  /** Where an agent has its switches. */
  public static final String PATH = "/v1/switches/";

  /** What an agent says once of an order that failed when nobody waited for it any more. */
  public static final String ORDER_FAILED = "the last order failed";

  /** In place of a number: the last attempt to get one failed. */
  private static final long FAILED = -1;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String node;
  private final AgentSource agent;
  private final String name;
  private final Duration askWithin;
  private final String id = UUID.randomUUID().toString();
  private @Nullable AgentQuestions questions; // guarded by this

  /** The number that orders show; 0 before {@link #begin}. */
  private volatile long number;

  /** Why the last attempt to get one failed. */
  private volatile String why = "";

  /** What is ordered. */
  public enum Order {
    /** See {@link PowerSwitch#on}. */
    ON,
    /** See {@link PowerSwitch#off}. */
    OFF,
    /** See {@link PowerSwitch#forceOff}. */
    FORCE_OFF
  }

  /**
   * A switch.
   *
   * @param node the node's name, for messages
   * @param name what the agent calls it
   * @param askWithin how long one question or order may take
   */
  public AgentSwitch(String node, AgentSource agent, String name, Duration askWithin) {
    this.node = node;
    this.agent = agent;
    this.name = name;
    this.askWithin = askWithin;
  }

  @Override
  public String describe() {
    return node + ", switch " + name + " of " + agent.describe();
  }

  @Override
  public State read() throws InterruptedException {
    String answer = asked((questions, nanos) -> questions.ask(PATH + name, nanos));
    try {
      return State.valueOf(JSON.readTree(answer).path("state").asText());
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new FailedWorkException(
          "does not report its state", describe(), "is it an agent of this version?", e);
    }
  }

  /**
   * {@inheritDoc} Takes the number after the last that was shown to the agent's switch.
   *
   * @throws FailedWorkException also if the agent is of a version that knows no such numbers
   */
  @Override
  public void begin() throws InterruptedException {
    number = FAILED;
    why = "it has not answered in time";
    try {
      long next = 1 + last(asked((questions, nanos) -> questions.ask(PATH + name, nanos)));
      put("", next);
      number = next;
    } catch (FailedWorkException e) {
      why = e.what();
      throw e;
    }
  }

  private long last(String answer) {
    JsonNode fence;
    try {
      fence = JSON.readTree(answer).path("fence");
    } catch (JsonProcessingException e) {
      throw new FailedWorkException(
          "does not report who ordered last", describe(), "is it an agent of this version?", e);
    }
    if (!fence.isIntegralNumber()) {
      throw new FailedWorkException(
          "is of an agent of an older version, which takes orders of whoever was displaced too",
          describe(),
          "update the agents, then the governor");
    }
    return fence.asLong();
  }

  @Override
  public void on() throws InterruptedException {
    order(Order.ON);
  }

  @Override
  public void off() throws InterruptedException {
    order(Order.OFF);
  }

  /** The agent refuses it where its switch has no such way. */
  @Override
  public boolean canForce() {
    return true;
  }

  @Override
  public void forceOff() throws InterruptedException {
    order(Order.FORCE_OFF);
  }

  private void order(Order order) throws InterruptedException {
    if (number == 0) {
      begin();
    } else if (number == FAILED) {
      throw new FailedWorkException(
          "had no number of its agent when this began to order, and another may have begun since: "
              + why,
          describe(),
          "see that the agent runs, in this version; then repeat the command");
    }
    put("\"order\":\"" + order + "\",", number);
  }

  private void put(String order, long shown) throws InterruptedException {
    String body = "{" + order + "\"id\":\"" + id + "\",\"fence\":" + shown + "}";
    String unused = asked((questions, nanos) -> questions.order(PATH + name, body, nanos));
  }

  @FunctionalInterface
  private interface Question {
    String ask(AgentQuestions questions, long nanos) throws MeterException, InterruptedException;
  }

  /** One for all calls: a client of Java 17 keeps its thread until it is collected. */
  private synchronized AgentQuestions questions() throws MeterException {
    @Nullable AgentQuestions known = questions;
    if (known == null) {
      known = AgentQuestions.of(agent);
      questions = known;
    }
    return known;
  }

  private String asked(Question question) throws InterruptedException {
    try {
      return question.ask(questions(), askWithin.toNanos());
    } catch (MeterException e) {
      throw new FailedWorkException(e.what(), describe(), e.remedy(), e);
    }
  }
}
