package org.calando.governor.http.api;

import static org.calando.governor.http.api.Shape.bool;
import static org.calando.governor.http.api.Shape.instant;
import static org.calando.governor.http.api.Shape.named;
import static org.calando.governor.http.api.Shape.number;
import static org.calando.governor.http.api.Shape.object;
import static org.calando.governor.http.api.Shape.oneOf;
import static org.calando.governor.http.api.Shape.text;
import static org.calando.governor.http.api.Shape.whole;

import java.util.LinkedHashMap;
import java.util.Map;

/** The documents that a governor answers and takes. Stateless. */
final class Documents {
  static final String CLUSTERS = "Clusters";
  static final String CLUSTER = "Cluster";
  static final String DECISION = "Decision";
  static final String SAMPLE = "Sample";
  static final String AUDIT = "AuditLine";
  static final String ME = "Me";
  static final String CHANGED = "Changed";
  static final String REFUSED = "Refused";

  private static final String PART = "Part";
  private static final String KNOB = "Knob";
  private static final String FIGURES = "Figures";
  private static final String PROMISES = "Promises";

  private Documents() {}

  /** All of them, by their names. */
  static Map<String, Shape> all() {
    Map<String, Shape> all = new LinkedHashMap<>();
    all.put(CLUSTERS, clusters());
    all.put(CLUSTER, cluster());
    all.put(PART, part());
    all.put(KNOB, knob());
    all.put(FIGURES, figures());
    all.put(PROMISES, promises());
    all.put(DECISION, decision());
    all.put(SAMPLE, sample());
    all.put(AUDIT, audit());
    all.put(ME, me());
    all.put(CHANGED, changed());
    all.put(REFUSED, refused());
    return all;
  }

  private static Shape clusters() {
    return object("All clusters, in the file's order.")
        .key("begun", instant(), "When the governor began.")
        .key(
            "own_cost",
            object("What the governor's process takes.")
                .key("cpu_seconds", number().orNull(), "CPU time so far.")
                .key("resident_bytes", number().orNull(), "Memory in use.")
                .build(),
            "What the governor's process takes.")
        .key("clusters", named(CLUSTER).list(), "The clusters.")
        .build();
  }

  private static Shape cluster() {
    return object("How a cluster stands. What is not known is null.")
        .key("name", text(), "Its name in the file.")
        .key("engine", text(), "Its engine.")
        .key("mode", oneOf("control", "observe"), "Whether knobs of it are set.")
        .key("works", bool(), "Whether all is done that is to be.")
        .key(
            "paused",
            order("A pause: nothing is set.")
                .key("barred", whole(), "Decisions that were not set since.")
                .build()
                .orNull(),
            "The pause that an operator ordered.")
        .key("observing", named(PART), "How it is observed.")
        .key("control", named(PART).orNull(), "How it is controlled.")
        .key("knobs", named(KNOB).list(), "Its knobs that are controlled.")
        .key("plans", plan().list(), "Plans that have begun and not ended.")
        .key("considered", considered().orNull(), "Policies that set nothing.")
        .key("figures", named(FIGURES), "What it drew and answered.")
        .key("promises", named(PROMISES).orNull(), "How its promises stand.")
        .key("sessions", sessions().orNull(), "Governed sessions of its applications.")
        .build();
  }

  private static Shape.Builder order(String doc) {
    return object(doc)
        .key("since", instant(), "When it was ordered.")
        .key("until", instant().orNull(), "Its end; null if it has none.")
        .key("who", text(), "Name of the token of who ordered it.")
        .key("reason", text(), "Why.");
  }

  private static Shape part() {
    return object("How a part of what is done to a cluster stands.")
        .key("works", bool(), "Whether it does what it is to do.")
        .key("since", instant(), "Since when it does, or does not.")
        .key("problem", text().orNull(), "What is amiss.")
        .key("failures", whole(), "How often it has failed.")
        .build();
  }

  private static Shape.Builder bareKnob(String doc) {
    return object(doc)
        .key("knob", text(), "Its name.")
        .key("target", text(), "What it acts on; empty before a decision.")
        .key("choice", text(), "The value or the policy of the file.")
        .key("value", text().orNull(), "What was decided last.")
        .key("since", instant(), "When that was decided first.")
        .key("decisions", whole(), "How many there were.")
        .key("reasons", text().list(), "Why.")
        .key(
            "paused",
            object("A pause of shifts, as one has failed.")
                .key("reason", text(), "What failed.")
                .key("until", instant(), "When it is tried again.")
                .build()
                .orNull(),
            "Why nothing is shifted for a while.");
  }

  private static Shape knob() {
    return bareKnob("A knob that is controlled.")
        .key("in_force", text().orNull(), "What is set.")
        .key(
            "held",
            order("A value that an operator ordered.")
                .key("value", text().orNull(), "The value; null: it stays as it is.")
                .key("problem", text().orNull(), "Why it is not set so.")
                .build()
                .orNull(),
            "The value that it is held at.")
        .key(
            "barred",
            oneOf("paused", "held").orNull(),
            "Why what is decided is not set; null if it is.")
        .key("can_hold", bool(), "Whether it has one value that it may be held at.")
        .build();
  }

  private static Shape plan() {
    return object("A plan that has begun and not ended.")
        .key("knob", text(), "Its knob.")
        .key("what", text(), "Where it goes.")
        .key("under_way", bool(), "Whether its steps are done now; else it is safe to leave.")
        .key("can_undo", bool(), "Whether it can be taken back.")
        .key("undoing", bool(), "Whether it is being taken back.")
        .key("lines", text().list(), "What the shift has reported, the newest last.")
        .build();
  }

  private static Shape considered() {
    return object("Policies that decide and set nothing.")
        .key("deciding", named(PART), "How they decide.")
        .key(
            "knobs",
            bareKnob("A knob that is not set.")
                .key("saves_w", number().orNull(), "What that would save, modelled, in W.")
                .build()
                .list(),
            "What each would set.")
        .build();
  }

  private static Shape figures() {
    Shape node =
        object("Of a node.")
            .key("name", text(), "The node.")
            .key("power_w", number().orNull(), "Power in W.")
            .key("joules", number().orNull(), "Energy so far in J.")
            .key("unknown_s", number(), "Seconds in which it is not known.")
            .key("reads_per_s", number().orNull(), "Reads a second.")
            .key("writes_per_s", number().orNull(), "Writes a second.")
            .key("reads", whole().orNull(), "Reads so far.")
            .key("writes", whole().orNull(), "Writes so far.")
            .key("rack", text().orNull(), "Its rack.")
            .key("data_center", text().orNull(), "Its data centre.")
            .key("state", oneOf("on", "off", "silent", "unknown"), "Whether it serves.")
            .key("role", text().orNull(), "master or replica, where roles are watched.")
            .build();
    return object("What a cluster drew and answered.")
        .key(
            "meter",
            object("What measures.")
                .key("id", text(), "Its name.")
                .key("provenance", text(), "measured, modelled, attributed or simulated.")
                .key("scope", text(), "What it measures.")
                .key("resolution", text(), "How exact it is.")
                .build()
                .orNull(),
            "What measures its energy.")
        .key("no_meter", text().orNull(), "Why nothing does.")
        .key("accounted_s", number(), "Seconds that are accounted for.")
        .key("unknown_s", number(), "Seconds that are not known.")
        .key("joules", number().orNull(), "Energy of what is accounted for, in J.")
        .key("requests", number().orNull(), "Requests of it.")
        .key("mean_joules_per_kop", number().orNull(), "Joules per thousand requests.")
        .key("last_joules_per_kop", number().orNull(), "The same of the last period.")
        .key("power_w", number().orNull(), "Power of the last period in W.")
        .key("nodes", node.list(), "The same of each node.")
        .key("saving", saving().orNull(), "What knobs save; null if none has a model.")
        .build();
  }

  private static Shape saving() {
    Shape today =
        object("Since midnight.")
            .key("since", instant(), "Midnight.")
            .key("known_s", number(), "Seconds in which it is known.")
            .key("unknown_s", number(), "Seconds in which it is not.")
            .key("joules_low", number().orNull(), "Saved at least, in J.")
            .key("joules_high", number().orNull(), "And at most.")
            .key("cost_low", number().orNull(), "The same in money.")
            .key("cost_high", number().orNull(), "And at most.")
            .key("currency", text().orNull(), "Of the money.")
            .key("co2e_low_g", number().orNull(), "The same in g of CO2 equivalents.")
            .key("co2e_high_g", number().orNull(), "And at most.")
            .build();
    return object("What knobs save against nobody setting them.")
        .key("provenance", text(), "modelled.")
        .key("power_low_w", number().orNull(), "Now, at least, in W.")
        .key("power_high_w", number().orNull(), "And at most.")
        .key("today", today, "Since midnight.")
        .build();
  }

  private static Shape sample() {
    return object("How a cluster stood.")
        .key("at", instant(), "When.")
        .key("power_w", number().orNull(), "Power in W.")
        .key("joules", number().orNull(), "Energy since its meter was taken, in J.")
        .key("saving_low_w", number().orNull(), "What knobs saved at least, in W.")
        .key("saving_high_w", number().orNull(), "And at most.")
        .key("kept", object("By the promise.").open().build(), "Whether each promise was kept.")
        .build();
  }

  private static Shape promises() {
    Shape state =
        object("A promise.")
            .key("promise", text(), "What is promised.")
            .key("unit", text(), "Unit of its figures.")
            .key("limit", number(), "The limit in force.")
            .key("file_limit", number(), "The limit of the file.")
            .key(
                "changed",
                order("Another limit than the file's.").build().orNull(),
                "What an operator has changed.")
            .key("source", text(), "What measures it.")
            .key("provenance", text().orNull(), "measured or predicted, for one.")
            .key("low", number().orNull(), "The figure is this at least.")
            .key("high", number().orNull(), "And this at most.")
            .key("kept", bool().orNull(), "Whether it is kept.")
            .key("can_change", bool(), "Whether its limit may be another than the file's.")
            .key("window_s", number(), "Length of the budget's window.")
            .key("kept_s", number(), "Of it, seconds in which it was kept.")
            .key("broken_s", number(), "In which it was broken.")
            .key("unknown_s", number(), "In which that is not known.")
            .key("unknown_share", number(), "The same as a share.")
            .key("budget_spent_low", number().orNull(), "Budget spent at least; 1 is all.")
            .key("budget_spent_high", number().orNull(), "And at most.")
            .maybe("as_strong_low", number().orNull(), "Reads as fresh as strong ones, at least.")
            .maybe("as_strong_high", number().orNull(), "And at most.")
            .build();
    Shape level =
        object("Stale reads at a level.")
            .key("level", text(), "The level of reads.")
            .key("stale_low", number(), "Share of stale reads at least.")
            .key("stale_high", number(), "And at most.")
            .key("kept", bool().orNull(), "Whether the promise would be kept.")
            .key("saves_w", number().orNull(), "What that would save in W.")
            .build();
    return object("How promises stand.")
        .key("measuring", named(PART), "How they are measured.")
        .key("states", state.list(), "Each of them.")
        .key("reads_at", level.list(), "Stale reads at each level; none if unknown.")
        .build();
  }

  private static Shape sessions() {
    return object("Governed sessions.")
        .key("governed", whole(), "How many.")
        .key("problem", text().orNull(), "What is amiss.")
        .key("reads", whole(), "Their reads so far.")
        .key("read_p99_ms", number().orNull(), "p99 of them in the last minute.")
        .build();
  }

  private static Shape decision() {
    return object("A decision that changed something.")
        .key("id", whole(), "Increasing over all clusters, also over restarts.")
        .key("cluster", text(), "The cluster.")
        .key("at", instant(), "When.")
        .key("policy", text(), "Who decided.")
        .key("knobs", text().list(), "On which knobs.")
        .key("settings", text().list(), "What was decided.")
        .key("reasons", text().list(), "Why.")
        .key("barred", oneOf("paused", "held").orNull(), "Why it was not set; null if it was.")
        .build();
  }

  private static Shape audit() {
    Shape free = object("As in the answer to the call.").open().build().orNull();
    return object("A call that changed something, or was refused for lack of right.")
        .key("id", whole(), "Increasing, also over restarts.")
        .key("at", instant(), "When.")
        .key("who", text().orNull(), "Name of the token.")
        .key("role", oneOf("operator", "viewer").orNull(), "Its role.")
        .key("address", text(), "From where; empty of the governor itself.")
        .key("request", text(), "Names the call.")
        .key("cluster", text().orNull(), "The cluster.")
        .key("what", text(), "What was asked.")
        .key("before", free, "How it was.")
        .key("after", free, "How it is.")
        .key("reason", text().orNull(), "Why.")
        .key(
            "outcome",
            text().orNull(),
            "done, failed: .. or refused: .., with what is not on the disk yet; null while it is"
                + " made.")
        .build();
  }

  private static Shape me() {
    return object("Who asks.")
        .key("who", text().orNull(), "Name of the token.")
        .key("role", oneOf("operator", "viewer").orNull(), "Its role.")
        .key("may_change", bool(), "Whether it may change something.")
        .key("why_not", text().orNull(), "Why not, and what to do.")
        .build();
  }

  private static Shape changed() {
    return object("What was changed, or would be.")
        .key("dry_run", bool(), "Whether nothing was changed.")
        .key("cluster", text(), "The cluster.")
        .key("what", text(), "What was asked.")
        .key("before", object("How it was.").open().build(), "How it was.")
        .key("after", object("How it is.").open().build(), "How it is.")
        .key("steps", text().list(), "What is done, a sentence each.")
        .key(
            "recorded",
            bool().orNull(),
            "Whether the audit says that it was done; null if it was not.")
        .key("request", text(), "Names the call, as in the audit.")
        .build();
  }

  private static Shape refused() {
    return object("Why nothing was changed.")
        .key("status", whole(), "As the answer's.")
        .key("problem", text(), "What is wrong.")
        .key("remedy", text(), "What to do.")
        .key("request", text(), "Names the call, as in the audit.")
        .build();
  }

  /** What all calls that change something take. */
  static Shape.Builder call() {
    return object("What is to be changed.")
        .key("reason", text(1, 500), "Why.")
        .maybe("dry_run", bool(), "Nothing is changed unless this is false.");
  }

  static Shape until() {
    return text();
  }
}
