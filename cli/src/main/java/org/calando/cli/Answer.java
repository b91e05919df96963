package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/**
 * What a command answers.
 *
 * @param json for programs
 * @param lines for people, of at most 80 characters where no path makes them longer
 */
public record Answer(ObjectNode json, List<String> lines) {
  /** A line. */
  public static Answer said(String what) {
    return new Answer(object().put("answer", what), List.of(what));
  }

  /** An empty object, to be added to. */
  public static ObjectNode object() {
    return new ObjectMapper().createObjectNode();
  }

  /** A constant as people and programs read it. */
  static String words(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
