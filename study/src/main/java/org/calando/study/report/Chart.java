package org.calando.study.report;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A chart of the page.
 *
 * @param title its heading
 * @param description what it shows, in words, for those who cannot see it
 * @param note small print under it, or empty
 * @param data what the page's script draws
 * @param table the same figures as a table
 */
record Chart(String title, String description, String note, JsonNode data, Table table) {
  String id() {
    return data.path("id").asText();
  }
}
