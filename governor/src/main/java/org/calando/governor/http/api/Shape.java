package org.calando.governor.http.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a part of a document is, from which its JSON Schema is written (2020-12). Immutable and
 * thread safe.
 */
final class Shape {
  /** Whether a schema refuses keys that are not declared; clients are to ignore them. */
  private final Function<Boolean, ObjectNode> schema;

  private Shape(Function<Boolean, ObjectNode> schema) {
    this.schema = schema;
  }

  /** A key of an object. */
  private record Field(String name, Shape shape, String doc, boolean isRequired) {}

  private static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static Shape of(String type) {
    return new Shape(strict -> node().put("type", type));
  }

  static Shape text() {
    return of("string");
  }

  static Shape number() {
    return of("number");
  }

  static Shape whole() {
    return of("integer");
  }

  static Shape bool() {
    return of("boolean");
  }

  /** A time in UTC. */
  static Shape instant() {
    return new Shape(strict -> node().put("type", "string").put("format", "date-time"));
  }

  /** A text of so many characters. */
  static Shape text(int least, int most) {
    return new Shape(
        strict -> node().put("type", "string").put("minLength", least).put("maxLength", most));
  }

  /** One of these texts. */
  static Shape oneOf(String... words) {
    return new Shape(
        strict -> {
          ObjectNode node = node().put("type", "string");
          ArrayNode all = node.putArray("enum");
          List.of(words).forEach(all::add);
          return node;
        });
  }

  /** Any of these. */
  static Shape any(Shape... shapes) {
    return new Shape(
        strict -> {
          ObjectNode node = node();
          ArrayNode all = node.putArray("anyOf");
          List.of(shapes).forEach(shape -> all.add(shape.schema(strict)));
          return node;
        });
  }

  /** A document that is declared by its name. */
  static Shape named(String name) {
    return new Shape(strict -> node().put("$ref", "#/components/schemas/" + name));
  }

  /** A list. */
  Shape list() {
    return new Shape(
        strict -> {
          ObjectNode node = node().put("type", "array");
          node.set("items", schema(strict));
          return node;
        });
  }

  /** Or null, where it is not known, or there is none. */
  Shape orNull() {
    return any(this, of("null"));
  }

  /** The schema. */
  ObjectNode schema(boolean isStrict) {
    return schema.apply(isStrict);
  }

  /** An object. */
  static Builder object(String doc) {
    return new Builder(doc);
  }

  /** Its keys. Not thread safe. */
  static final class Builder {
    private final String doc;
    private final List<Field> fields = new ArrayList<>();
    private boolean isOpen;

    private Builder(String doc) {
      this.doc = doc;
    }

    /** A key that is always there. */
    Builder key(String name, Shape shape, String keyDoc) {
      fields.add(new Field(name, shape, keyDoc, true));
      return this;
    }

    /** One that may be left out. */
    Builder maybe(String name, Shape shape, String keyDoc) {
      fields.add(new Field(name, shape, keyDoc, false));
      return this;
    }

    /** Any further keys. */
    Builder open() {
      isOpen = true;
      return this;
    }

    Shape build() {
      List<Field> all = List.copyOf(fields);
      boolean refuses = !isOpen;
      return new Shape(strict -> schema(all, strict, refuses));
    }

    private ObjectNode schema(List<Field> all, boolean isStrict, boolean refuses) {
      ObjectNode node = node().put("type", "object").put("description", doc);
      ObjectNode properties = node.putObject("properties");
      ArrayNode required = node.putArray("required");
      for (Field field : all) {
        ObjectNode of = field.shape().schema(isStrict);
        properties.set(field.name(), of.put("description", field.doc()));
        if (field.isRequired()) {
          required.add(field.name());
        }
      }
      if (isStrict && refuses) {
        node.put("additionalProperties", false);
      }
      return node;
    }
  }
}
