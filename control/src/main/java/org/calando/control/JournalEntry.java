package org.calando.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;

/**
 * One line of a journal. Immutable and thread safe.
 *
 * @param at wall-clock time, for people
 * @param plan tells the entries of one plan from those of others: its number in the journal
 * @param event what happened
 * @param knob name of the knob
 * @param target what it acts on
 * @param value what it is set to, as the plan says it
 * @param before how it was set before the plan, in the same words
 * @param lifetime whether it goes back when its owner ends
 * @param step name of the step; empty for the plan as a whole
 * @param detail why it failed; empty otherwise
 */
public record JournalEntry(
    Instant at,
    long plan,
    Event event,
    String knob,
    String target,
    String value,
    String before,
    Knob.Lifetime lifetime,
    String step,
    String detail) {
  /** Without the checksum. */
  private static final int FIELDS = 11;

  /** What happened to a plan or a step. */
  public enum Event {
    /** The plan is about to be carried out; nothing is done yet. */
    PLANNED,
    /** The step is about to be done: it may be done, in part or not at all. */
    BEGUN,
    /** The step was read back as done. */
    DONE,
    /** The step could not be done, or did not read back as done. */
    FAILED,
    /** The step was taken back. */
    UNDONE,
    /** The plan is in force. */
    IN_FORCE,
    /** The plan is taken back wholly: the knob is as it was before. */
    TAKEN_BACK,
    /** The plan is left where it is, by order: the knob is somewhere between. */
    GIVEN_UP
  }

  /** The first entry of a plan. */
  static JournalEntry planned(
      Instant at, long number, Plan plan, String before, Knob.Lifetime life) {
    return new JournalEntry(
        at, number, Event.PLANNED, plan.knob(), plan.target(), plan.value(), before, life, "", "");
  }

  /** A later entry of the same plan. */
  JournalEntry then(Instant when, Event next, String stepName, String why) {
    return new JournalEntry(when, plan, next, knob, target, value, before, lifetime, stepName, why);
  }

  /** Whether it is of a plan's knob. */
  boolean isOf(Plan other) {
    return knob.equals(other.knob()) && target.equals(other.target());
  }

  /** Whether nothing of the plan is left to do or to take back after this entry. */
  boolean endsPlan() {
    return event == Event.TAKEN_BACK
        || event == Event.GIVEN_UP
        || (event == Event.IN_FORCE && lifetime == Knob.Lifetime.DURABLE);
  }

  /** As a journal has it, without the checksum. */
  ObjectNode toJson() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("at", at.toString())
        .put("plan", plan)
        .put("event", event.name())
        .put("knob", knob)
        .put("target", target)
        .put("value", value)
        .put("before", before)
        .put("lifetime", lifetime.name())
        .put("step", step)
        .put("detail", detail);
  }

  /**
   * What {@link #toJson} wrote, with its checksum.
   *
   * @throws IllegalArgumentException if it is no entry
   */
  static JournalEntry fromJson(JsonNode node) {
    if (node.size() != FIELDS) {
      throw new IllegalArgumentException("it has " + node.size() + " fields, not " + FIELDS);
    }
    try {
      return new JournalEntry(
          Instant.parse(node.required("at").asText()),
          node.required("plan").asLong(),
          Event.valueOf(node.required("event").asText()),
          node.required("knob").asText(),
          node.required("target").asText(),
          node.required("value").asText(),
          node.required("before").asText(),
          Knob.Lifetime.valueOf(node.required("lifetime").asText()),
          node.required("step").asText(),
          node.required("detail").asText());
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
