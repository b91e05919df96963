package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.calando.clock.ClockOutcome;
import org.calando.clock.Drift;
import org.calando.concerto.ManagerListener;
import org.calando.control.GearLook;
import org.calando.core.policy.Decision;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.RoleEvent;
import org.calando.governor.GovernedEnergy;
import org.calando.governor.GovernorNews;

/**
 * What a governor does, a line for each event. Lines wait in a queue for whoever prints them: who
 * reads them slowly, or not at all, must not hold up a master's clock. Beyond what the queue holds
 * they are counted only. Thread safe, but for printing, which is one thread's.
 */
final class GovernNews implements GovernorNews {
  private static final int MOST_WAITING = 4096;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ArrayBlockingQueue<Line> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final AtomicLong dropped = new AtomicLong();
  private final PrintStream out;
  private final boolean json;
  private final Clock clock;

  private record Line(ObjectNode fields, String text) {}

  /**
   * Nothing to tell yet.
   *
   * @param json whether lines are JSON
   * @param clock tells the time of an event
   */
  GovernNews(PrintStream out, boolean json, Clock clock) {
    this.out = out;
    this.json = json;
    this.clock = clock;
  }

  @Override
  public ManagerListener clocks(String cluster) {
    return new Clocks(cluster);
  }

  /** What is done to the clocks of a cluster. */
  private final class Clocks implements ManagerListener {
    private final String cluster;
    private final Map<String, String> roles = new HashMap<>();

    Clocks(String cluster) {
      this.cluster = cluster;
    }

    @Override
    public void decided(Decision<?> decided, List<ClockOutcome> outcomes) {
      for (ClockObservation.Node node : decided.signals().get(ClockObservation.CLOCKS).nodes()) {
        role(node.view());
      }
      for (ClockOutcome outcome : outcomes) {
        clock(outcome, reason(decided, outcome.node()));
      }
    }

    private void role(NodeView view) {
      String role = word(view);
      String was = roles.put(view.node(), role);
      if (role.equals(was)) {
        return;
      }
      ObjectNode fields = event(cluster, "role").put("node", view.node()).put("role", role);
      fields.put("was", was == null ? "" : was).put("may_be_master", view.mayBeMaster());
      fields.put("upstream", view.word().upstream()).put("pid", view.word().pid());
      String of = view.word().upstream().isEmpty() ? "" : " of " + view.word().upstream();
      add(
          fields,
          cluster + ": " + view.node() + ": " + role + of + (was == null ? "" : ", was " + was));
    }

    private void clock(ClockOutcome outcome, String reason) {
      ObjectNode fields = event(cluster, "clock").put("node", outcome.node());
      fields.put("asked_khz", outcome.askedKHz()).put("khz", outcome.kiloHertz());
      fields.put("ok", outcome.ok()).put("reason", reason);
      String at = String.format(Locale.ROOT, "%s: %.2f GHz", outcome.node(), gigaHertz(outcome));
      add(
          fields,
          cluster + ": " + at + (outcome.ok() ? "" : ", " + outcome.faults()) + "; " + reason);
    }

    private static double gigaHertz(ClockOutcome outcome) {
      return outcome.kiloHertz() / 1e6;
    }

    private static String reason(Decision<?> decided, String node) {
      return decided.step().reasons().stream()
          .filter(reason -> reason.startsWith(node + ' '))
          .findFirst()
          .orElse(decided.step().reasons().get(0));
    }

    @Override
    public void raised(RoleEvent event, long afterNanos) {
      double millis = afterNanos / 1e6;
      ObjectNode fields =
          event(cluster, "raised").put("node", event.node()).put("after_ms", millis);
      add(
          fields,
          cluster
              + ": "
              + String.format(
                  Locale.ROOT, "%s: raised %.1f ms after it was seen", event.node(), millis));
    }

    @Override
    public void drifted(List<Drift> drifts) {
      for (Drift drift : drifts) {
        ObjectNode fields =
            event(cluster, "drift").put("what", drift.what()).put("from", drift.from());
        fields.put("to", drift.to()).put("then", drift.then());
        drift
            .outcome()
            .ifPresent(
                policy ->
                    fields
                        .put("policy", policy.policy())
                        .put("khz", policy.readKHz())
                        .put("ok", policy.ok()));
        add(fields, cluster + ": " + drift.words());
      }
    }

    @Override
    public void trouble(String what) {
      GovernNews.this.trouble(cluster + ": " + what);
    }

    private ObjectNode event(String of, String kind) {
      return GovernNews.this.event(kind).put("cluster", of);
    }
  }

  private static String word(NodeView view) {
    return view.role().name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void trouble(String what) {
    add(event("trouble").put("text", what), "trouble: " + what);
  }

  /** Something that is no event of the manager's. */
  void told(String what) {
    add(event("note").put("text", what), what);
  }

  @Override
  public void accept(String what) {
    told(what);
  }

  @Override
  public void looked(String cluster, GearLook look, String words) {
    ObjectNode fields = event("gear").put("cluster", cluster).put("gear", look.gear());
    fields.put("decided", look.decided()).put("in_force", look.inForce());
    look.load().ifPresent(load -> fields.put("load", load));
    fields.put("failed_nodes", look.failedNodes());
    look.notNow()
        .ifPresent(why -> fields.put(look.decision().isEmpty() ? "silence" : "not_now", why));
    look.reasons().forEach(fields.putArray("reasons")::add);
    add(fields, cluster + ": " + words);
  }

  @Override
  public void energy(String cluster, GovernedEnergy energy) {
    ObjectNode fields = event("energy").put("cluster", cluster).put("seconds", energy.seconds());
    fields.put("energy_i0_j", energy.joulesI0()).put("energy_i1_j", energy.joulesI1());
    share(fields, "saving_i0", energy.savingI0());
    share(fields, "saving_i1", energy.savingI1());
    fields.put("manager_j", energy.managerJoules()).put("unknown_s", energy.unknownSeconds());
    fields.put("provenance", "modelled");
    String text =
        String.format(
            Locale.ROOT,
            "energy over %.0f s (modelled): %.1f J and %s saved with i = 0, %.1f J and %s with"
                + " i = 1; the manager itself %.2f J",
            energy.seconds(),
            energy.joulesI0(),
            percent(energy.savingI0()),
            energy.joulesI1(),
            percent(energy.savingI1()),
            energy.managerJoules());
    String unknown =
        energy.unknownSeconds() < 0.05
            ? ""
            : String.format(
                Locale.ROOT,
                "; %.1f s of processes that could not be read count as idle",
                energy.unknownSeconds());
    add(fields, cluster + ": " + text + unknown);
  }

  private static void share(ObjectNode fields, String name, double share) {
    if (Double.isNaN(share)) {
      fields.putNull(name);
    } else {
      fields.put(name, share);
    }
  }

  private static String percent(double share) {
    return Double.isNaN(share) ? "nothing" : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private ObjectNode event(String kind) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return JSON.createObjectNode().put("at", now.toString()).put("event", kind);
  }

  private void add(ObjectNode fields, String text) {
    if (!waiting.offer(new Line(fields, text))) {
      dropped.incrementAndGet();
    }
  }

  /** Prints what waits, and waits for at most so long if nothing does. */
  void print(long waitNanos) throws InterruptedException {
    Line line = waiting.poll(waitNanos, TimeUnit.NANOSECONDS);
    while (line != null) {
      print(line);
      line = waiting.poll();
    }
    long lost = dropped.getAndSet(0);
    if (lost > 0) {
      String text = lost + " lines were not printed: nobody read them in time";
      print(new Line(event("trouble").put("text", text), text));
    }
    out.flush();
  }

  private void print(Line line) {
    out.println(
        json ? line.fields().toString() : line.fields().path("at").asText() + "  " + line.text());
  }
}
