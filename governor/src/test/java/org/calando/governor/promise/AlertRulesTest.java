package org.calando.governor.promise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.core.observe.ClientUse;
import org.calando.core.observe.Promised;
import org.calando.knob.Point;
import org.calando.studyfile.ClusterPromise;
import org.calando.studyfile.ServiceSpec;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class AlertRulesTest {
  private static final Set<String> OF_EACH = Set.of("CalandoNotObserved", "CalandoJoulesAbsent");

  private static ServiceSpec.Cluster cluster(String name, Map<Promised, Double> limits) {
    return cluster(name, limits, ClientUse.UNKNOWN);
  }

  @SuppressWarnings("NullAway") // The rules ask neither for its store nor for its power.
  private static ServiceSpec.Cluster cluster(
      String name, Map<Promised, Double> limits, ClientUse clients) {
    return new ServiceSpec.Cluster(
        name,
        null,
        Point.NONE,
        new ServiceSpec.Machines(Optional.empty(), Optional.empty()),
        1,
        null,
        new ClusterPromise(limits, 1),
        clients,
        name.equals("governed"),
        Point.NONE);
  }

  @Test
  void whatIsAmissWithSessionsHasARule() {
    String yaml =
        AlertRules.yaml(
            new ServiceSpec(List.of(cluster("governed", Map.of())), Optional.empty(), false),
            cluster -> false);
    assertThat(alerts(rules(yaml, 1))).contains("CalandoControlProblem");
    assertThat(yaml)
        .contains("calando_cluster_problem{cluster=\"governed\", part=\"control\"} == 1");
  }

  private static List<Map<String, Object>> groups(String yaml) {
    Map<String, Object> file = map(new Load(LoadSettings.builder().build()).loadFromString(yaml));
    return list(file.get("groups")).stream().map(AlertRulesTest::map).toList();
  }

  private static List<Map<String, Object>> rules(String yaml, int group) {
    return list(groups(yaml).get(group).get("rules")).stream().map(AlertRulesTest::map).toList();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object node) {
    return (Map<String, Object>) node;
  }

  private static List<?> list(Object node) {
    return (List<?>) node;
  }

  private static Set<String> alerts(List<Map<String, Object>> rules) {
    return rules.stream()
        .map(rule -> String.valueOf(rule.get("alert")))
        .collect(Collectors.toSet());
  }

  @Test
  void eachFigureHasARuleForItsAbsence() {
    String yaml =
        AlertRules.yaml(
            new ServiceSpec(
                List.of(
                    cluster("seen", Map.of()),
                    cluster("shop", Map.of(Promised.STALE, 0.01, Promised.COPIES, 2.0))),
                Optional.empty(),
                false),
            cluster -> true);
    assertThat(alerts(rules(yaml, 0))).containsExactly("CalandoGovernorAbsent");
    assertThat(alerts(rules(yaml, 1))).isEqualTo(OF_EACH);
    List<Map<String, Object>> shop = rules(yaml, 2);
    assertThat(alerts(shop))
        .isEqualTo(
            Stream.concat(
                    OF_EACH.stream(),
                    Stream.of(
                        "CalandoPromiseBroken",
                        "CalandoPromiseUnknown",
                        "CalandoBudgetSpent",
                        "CalandoBudgetMaybeSpent",
                        "CalandoBudgetUnknown"))
                .collect(Collectors.toSet()));
    for (String figure : List.of("stale", "copies")) {
      String of = "calando_promise_kept{cluster=\"shop\", promise=\"" + figure + "\"}";
      assertThat(shop.stream().map(rule -> rule.get("expr")))
          .contains(of + " == 0", "absent(" + of + ")");
    }
    assertThat(shop.stream().map(rule -> rule.get("alert") + " " + rule.get("labels")))
        .as("Prometheus tells alerts apart by their labels")
        .doesNotHaveDuplicates();
    assertThat(shop)
        .allSatisfy(
            rule -> {
              assertThat(rule.get("for")).isEqualTo("5m");
              assertThat(map(rule.get("labels")).keySet()).contains("severity", "cluster");
              assertThat(map(rule.get("annotations")).get("summary").toString()).contains("shop");
            });
  }

  private static Map<String, Object> alert(String name, ClientUse clients) {
    ServiceSpec spec =
        new ServiceSpec(
            List.of(cluster("shop", Map.of(Promised.STALE, 0.01), clients)),
            Optional.empty(),
            false);
    return rules(AlertRules.yaml(spec, cluster -> false), 1).stream()
        .filter(rule -> name.equals(rule.get("alert")))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aBudgetIsSpentWhereItIsSoForCertainAndMayBeSpentWhereAFigureIsMissing() {
    String spent = "calando_promise_budget_spent_ratio{cluster=\"shop\", promise=\"stale\", ";
    Map<String, Object> certain = alert("CalandoBudgetSpent", ClientUse.UNKNOWN);
    assertThat(certain.get("expr")).isEqualTo(spent + "end=\"low\"} > 1");
    assertThat(map(certain.get("labels"))).containsEntry("severity", "warning");
    Map<String, Object> maybe = alert("CalandoBudgetMaybeSpent", ClientUse.UNKNOWN);
    assertThat(maybe.get("expr"))
        .isEqualTo(spent + "end=\"high\"} > 1 unless ignoring(end) " + spent + "end=\"low\"} > 1");
    assertThat(map(maybe.get("labels"))).containsEntry("severity", "info");
    assertThat(map(maybe.get("annotations")).get("summary").toString()).contains("clients.keys");
    ClientUse known =
        new ClientUse(
            Optional.empty(),
            Optional.empty(),
            OptionalLong.of(1000),
            OptionalDouble.empty(),
            OptionalLong.empty(),
            Optional.empty(),
            List.of());
    assertThat(
            map(alert("CalandoBudgetMaybeSpent", known).get("annotations"))
                .get("summary")
                .toString())
        .contains("how late its replicas were")
        .doesNotContain("clients.keys");
  }

  @Test
  void whereRequestsAreNotCountedNoRuleIsForJoulesOfThem() {
    ServiceSpec spec =
        new ServiceSpec(List.of(cluster("files", Map.of())), Optional.empty(), false);
    assertThat(alerts(rules(AlertRules.yaml(spec, cluster -> false), 1)))
        .containsExactly("CalandoNotObserved");
  }

  @Test
  void eachGroupHasANameOfItsOwnWhateverClustersAreCalled() {
    ServiceSpec spec =
        new ServiceSpec(
            List.of(cluster("governor", Map.of()), cluster("cluster-governor", Map.of())),
            Optional.empty(),
            false);
    assertThat(groups(AlertRules.yaml(spec, cluster -> true)).stream().map(of -> of.get("name")))
        .containsExactly(
            "calando-governor", "calando-cluster-governor", "calando-cluster-cluster-governor");
  }
}
