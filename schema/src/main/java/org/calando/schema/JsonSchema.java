package org.calando.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes a type as a JSON Schema (draft 2020-12) for editors that complete and check YAML. */
public final class JsonSchema {
  private JsonSchema() {}

  /** The schema's text. */
  public static String write(String title, ObjectType<?> type) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", title);
    schema.putAll(type.jsonSchema());
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentObjectsWith(new DefaultIndenter("  ", "\n"));
    ObjectMapper mapper = new ObjectMapper();
    mapper.enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
    try {
      return mapper.writer(printer).writeValueAsString(schema) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static Map<String, Object> property(Key<?> key) {
    Map<String, Object> property = new LinkedHashMap<>(key.type().jsonSchema());
    property.put("description", key.doc());
    return property;
  }
}
