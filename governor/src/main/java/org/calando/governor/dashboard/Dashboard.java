package org.calando.governor.dashboard;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A dashboard as Grafana 8 and later imports it; who imports it chooses its Prometheus. What is
 * absent is a gap: nothing is connected over it. Not thread safe.
 */
final class Dashboard {
  private static final int SCHEMA_VERSION = 36;
  private static final int ACROSS = 3;
  private static final int WIDTH = 8;
  private static final int HEIGHT = 8;
  private static final String SOURCE = "${datasource}";

  private final ObjectNode board = JsonNodeFactory.instance.objectNode();
  private final ArrayNode panels;
  private int id = 1;
  private int top;
  private int across;

  /**
   * One without panels.
   *
   * @param uid by which Grafana replaces an earlier one
   */
  Dashboard(String uid, String title) {
    board.put("uid", uid).put("title", title).put("schemaVersion", SCHEMA_VERSION);
    board.put("editable", true).put("refresh", "30s").put("timezone", "browser");
    board.putObject("time").put("from", "now-6h").put("to", "now");
    board.putArray("tags").add("calando");
    ObjectNode source = board.putObject("templating").putArray("list").addObject();
    source.put("name", "datasource").put("label", "Prometheus").put("type", "datasource");
    source.put("query", "prometheus");
    this.panels = board.putArray("panels");
  }

  /** Begins a row. */
  Dashboard row(String title) {
    newLine();
    ObjectNode row = panels.addObject().put("id", id++).put("type", "row").put("title", title);
    row.put("collapsed", false).putArray("panels");
    place(row, 0, ACROSS * WIDTH, 1);
    top += 1;
    return this;
  }

  /**
   * Lines over time.
   *
   * @param unit by Grafana's id
   * @param queries expressions, each followed by its legend
   */
  Dashboard line(String title, String unit, String... queries) {
    ObjectNode panel = panel(title, "timeseries", queries);
    ObjectNode defaults = panel.putObject("fieldConfig").putObject("defaults").put("unit", unit);
    defaults.putObject("custom").put("spanNulls", false).put("showPoints", "never");
    ((ObjectNode) panel.get("fieldConfig")).putArray("overrides");
    panel.putObject("options").putObject("tooltip").put("mode", "multi");
    return this;
  }

  /** The labels of a metric as they are now, as a table. */
  Dashboard table(String title, String expression, List<String> labels) {
    ObjectNode panel = panel(title, "table", expression, "");
    ObjectNode target = (ObjectNode) panel.get("targets").get(0);
    target.put("instant", true).put("range", false).put("format", "table");
    ObjectNode organize = panel.putArray("transformations").addObject();
    organize.put("id", "filterFieldsByName");
    ArrayNode names = organize.putObject("options").putObject("include").putArray("names");
    labels.forEach(names::add);
    return this;
  }

  private ObjectNode panel(String title, String type, String... queries) {
    ObjectNode panel = panels.addObject().put("id", id++).put("type", type).put("title", title);
    source(panel);
    if (across == ACROSS) {
      newLine();
    }
    place(panel, across * WIDTH, WIDTH, HEIGHT);
    across++;
    ArrayNode targets = panel.putArray("targets");
    for (int i = 0; i + 1 < queries.length; i += 2) {
      ObjectNode target = targets.addObject().put("refId", Character.toString('A' + i / 2));
      source(target);
      target.put("expr", queries[i]).put("legendFormat", queries[i + 1]);
    }
    return panel;
  }

  private static void source(ObjectNode of) {
    of.putObject("datasource").put("type", "prometheus").put("uid", SOURCE);
  }

  private void newLine() {
    if (across > 0) {
      top += HEIGHT;
      across = 0;
    }
  }

  private void place(ObjectNode panel, int left, int width, int height) {
    panel.putObject("gridPos").put("x", left).put("y", top).put("w", width).put("h", height);
  }

  /** The file's text. */
  String json() {
    return board.toPrettyString() + "\n";
  }
}
