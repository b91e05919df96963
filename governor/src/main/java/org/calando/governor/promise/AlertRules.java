package org.calando.governor.promise;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.calando.core.observe.Promised;
import org.calando.engine.Feature;
import org.calando.studyfile.ServiceSpec;

/*
 * Each rule that compares is silent where the figure is absent, so each figure has a rule for its absence beside it.
 */
/** Rules for Prometheus' alerts from the file of {@code calando govern}. Stateless. */
public final class AlertRules {
  private static final String WAIT = "5m";

  private AlertRules() {}

  /** The file of rules, as YAML; {@code promtool check rules} takes it. */
  public static String yaml(ServiceSpec spec) {
    return yaml(spec, cluster -> cluster.store().supports(Feature.REQUEST_COUNTS));
  }

  /**
   * The same.
   *
   * @param counted whether a cluster's nodes count requests: without, there are no joules of them
   */
  static String yaml(ServiceSpec spec, Predicate<ServiceSpec.Cluster> counted) {
    StringBuilder text = new StringBuilder("groups:\n");
    group(text, "calando-governor");
    rule(
        text,
        "CalandoGovernorAbsent",
        "absent(calando_governor_start_time_seconds)",
        "critical",
        "The governor is not scraped: nothing of its clusters is known.",
        "");
    spec.clusters().forEach(cluster -> cluster(text, cluster, counted.test(cluster)));
    return text.toString();
  }

  private static void cluster(StringBuilder text, ServiceSpec.Cluster cluster, boolean counted) {
    String name = cluster.name();
    String labels = ", cluster: " + quoted(name);
    String of = "{cluster=\"" + name + "\"}";
    group(text, "calando-cluster-" + name);
    rule(
        text,
        "CalandoNotObserved",
        "calando_cluster_observed" + of + " == 0 or absent(calando_cluster_observed" + of + ")",
        "warning",
        "Cluster " + name + " is not observed.",
        labels);
    if (counted) {
      rule(
          text,
          "CalandoJoulesAbsent",
          "absent(calando_joules_per_kop" + of + ")",
          "warning",
          "Joules per thousand requests of cluster "
              + name
              + " are not known: a meter or a node does not answer, or there are no requests.",
          labels);
    }
    if (!cluster.control().axes().isEmpty()) {
      rule(
          text,
          "CalandoNotControlled",
          "calando_cluster_controlled"
              + of
              + " == 0 or absent(calando_cluster_controlled"
              + of
              + ")",
          "warning",
          "The knobs of cluster " + name + " are not controlled; they are as before.",
          labels);
      rule(
          text,
          "CalandoKnobPaused",
          "calando_knob_paused" + of + " == 1",
          "warning",
          "Knob {{ $labels.knob }} of cluster " + name + " is paused: setting it failed.",
          labels);
    }
    if (!cluster.control().axes().isEmpty() || cluster.sessions()) {
      rule(
          text,
          "CalandoControlProblem",
          "calando_cluster_problem" + of.replace("}", ", part=\"control\"}") + " == 1",
          "warning",
          "There is a problem with the control of cluster "
              + name
              + ", or with its sessions: /api/v1/clusters/"
              + name
              + " reports it.",
          labels);
    }
    cluster.promise().limits().keySet().forEach(promise -> promise(text, cluster, promise));
  }

  private static void promise(StringBuilder text, ServiceSpec.Cluster cluster, Promised promise) {
    String name = cluster.name();
    String labels = ", cluster: " + quoted(name) + ", promise: " + promise.word();
    String of = "{cluster=\"" + name + "\", promise=\"" + promise.word() + "\"}";
    rule(
        text,
        "CalandoPromiseBroken",
        "calando_promise_kept" + of + " == 0",
        "critical",
        "Cluster "
            + name
            + " breaks its promise "
            + promise.word()
            + ": the figure is {{ with query `calando_promise_value"
            + of
            + "` }}{{ range . | sortByLabel \"end\" }}{{ .Labels.end }} {{ .Value }} {{ end }}{{"
            + " end }}"
            + promise.unit()
            + ".",
        labels);
    rule(
        text,
        "CalandoPromiseUnknown",
        "absent(calando_promise_kept" + of + ")",
        "warning",
        "It is not known whether cluster " + name + " keeps its promise " + promise.word() + ".",
        labels);
    if (promise == Promised.STALE) {
      budget(text, cluster, of, labels);
    }
  }

  /*
   * What is spent is from low to high, and high may be all that there ever is, as without the number of keys: it alone is
   * no reason to be woken.
   */
  private static void budget(
      StringBuilder text, ServiceSpec.Cluster cluster, String of, String labels) {
    String name = cluster.name();
    String spent = "calando_promise_budget_spent_ratio";
    String low = spent + of.replace("}", ", end=\"low\"}");
    String high = spent + of.replace("}", ", end=\"high\"}");
    rule(
        text,
        "CalandoBudgetSpent",
        low + " > 1",
        "warning",
        "Cluster "
            + name
            + " has spent its budget of stale reads: in the window there were at least {{ $value }}"
            + " times as many as its promise allows.",
        labels);
    rule(
        text,
        "CalandoBudgetMaybeSpent",
        high + " > 1 unless ignoring(end) " + low + " > 1",
        "info",
        "Cluster "
            + name
            + " may have spent its budget of stale reads: in the window there were at most"
            + " {{ $value }} times as many as its promise allows, and nobody knows how many. "
            + (cluster.clients().keys().isPresent()
                ? "Missing is how late its replicas were for some of the time: /api/v1/clusters/"
                    + name
                    + " has problems and unknown_s."
                : "Missing is how many keys its tables have: clients.keys."),
        labels);
    rule(
        text,
        "CalandoBudgetUnknown",
        "absent(" + high + ")",
        "warning",
        "What cluster " + name + " has spent of its budget of stale reads is not known.",
        labels);
  }

  private static void group(StringBuilder text, String name) {
    text.append("  - name: ").append(name).append("\n    rules:\n");
  }

  private static void rule(
      StringBuilder text,
      String alert,
      String expression,
      String severity,
      String summary,
      String labels) {
    List<String> lines =
        List.of(
            "      - alert: " + alert,
            "        expr: " + quoted(expression),
            "        for: " + WAIT,
            "        labels: {severity: " + severity + labels + "}",
            "        annotations: {summary: " + quoted(summary) + "}");
    text.append(lines.stream().collect(Collectors.joining("\n", "", "\n")));
  }

  /** As YAML quotes what may hold anything but a single quote. */
  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
