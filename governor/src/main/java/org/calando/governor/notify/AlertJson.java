package org.calando.governor.notify;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;

/**
 * Alerts in the format of Alertmanager's webhooks, version 4, so that what takes those takes ours.
 */
final class AlertJson {
  private static final String VERSION = "4";
  private static final String RECEIVER = "calando";

  /** As Alertmanager says that something has not ended. */
  private static final String NOT_ENDED = "0001-01-01T00:00:00Z";

  private AlertJson() {}

  /**
   * A post.
   *
   * @param truncated how many alerts there were that are not among these
   */
  static String text(List<Alert> alerts, long truncated) {
    ObjectNode post = JsonNodeFactory.instance.objectNode();
    post.put("version", VERSION).put("receiver", RECEIVER).put("groupKey", "{}:{}");
    post.put("truncatedAlerts", truncated);
    boolean firing = alerts.stream().anyMatch(alert -> alert.ended().isEmpty());
    post.put("status", firing ? "firing" : "resolved");
    post.putObject("groupLabels");
    common(post.putObject("commonLabels"), alerts);
    post.putObject("commonAnnotations");
    post.put("externalURL", "");
    ArrayNode all = post.putArray("alerts");
    alerts.forEach(alert -> all.add(node(alert)));
    return post.toString();
  }

  private static void common(ObjectNode labels, List<Alert> alerts) {
    List<String> names = alerts.stream().map(Alert::name).distinct().toList();
    List<String> clusters = alerts.stream().map(Alert::cluster).distinct().toList();
    Stream.of(names)
        .filter(each -> each.size() == 1)
        .forEach(each -> labels.put("alertname", each.get(0)));
    Stream.of(clusters)
        .filter(each -> each.size() == 1)
        .forEach(each -> labels.put("cluster", each.get(0)));
  }

  private static ObjectNode node(Alert alert) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("status", alert.ended().isEmpty() ? "firing" : "resolved");
    ObjectNode labels = node.putObject("labels").put("alertname", alert.name());
    labels.put("cluster", alert.cluster()).put("severity", alert.severity());
    alert.subject().ifPresent(subject -> labels.put(subject.label(), subject.name()));
    node.putObject("annotations").put("summary", alert.summary());
    node.put("startsAt", alert.since().toString());
    node.put("endsAt", alert.ended().map(Object::toString).orElse(NOT_ENDED));
    node.put("generatorURL", "");
    String of = alert.subject().map(subject -> "/" + subject.name()).orElse("");
    return node.put("fingerprint", alert.name() + "/" + alert.cluster() + of);
  }
}
