package org.calando.schema;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A type whose values are a single text or number.
 *
 * <p>Immutable and thread safe.
 */
public final class ScalarType<T> implements Type<T> {
  private final String label;
  private final String range;
  private final Parser<T> parser;
  private final Function<T, Object> writer;
  private final Map<String, Object> jsonSchema;

  /** Reads a scalar. */
  @FunctionalInterface
  public interface Parser<T> {
    /** The value of a scalar that is not empty. */
    T parse(Tree.Scalar scalar) throws Refusal;
  }

  /**
   * A type.
   *
   * @param label with its article: {@code a duration}
   * @param range the values allowed, or an empty string
   * @param parser reads a value
   * @param writer writes it as a text, number or boolean that the parser reads as the same value
   * @param jsonSchema the type as a JSON Schema
   */
  public ScalarType(
      String label,
      String range,
      Parser<T> parser,
      Function<T, Object> writer,
      Map<String, Object> jsonSchema) {
    this.label = label;
    this.range = range;
    this.parser = parser;
    this.writer = writer;
    this.jsonSchema = jsonSchema;
  }

  @Override
  public @Nullable Bound<T> bind(Tree tree, Binding at) {
    if (!(tree instanceof Tree.Scalar scalar) || scalar.isNull()) {
      at.error(tree.where(), "is " + tree.shape() + ", not " + label, "write " + hint());
      return null;
    }
    try {
      T value = parser.parse(scalar);
      return new Bound<>(value, writer.apply(value));
    } catch (Refusal refusal) {
      at.error(tree.where(), scalar.shape() + " " + refusal.what(), refusal.remedy());
      return null;
    }
  }

  /** The value of a scalar that is not empty. */
  public T parse(Tree.Scalar scalar) throws Refusal {
    return parser.parse(scalar);
  }

  /** A value as a text that {@link #parse} reads as the same value. */
  public String text(T value) {
    return String.valueOf(writer.apply(value));
  }

  private String hint() {
    return range.isEmpty() ? label : label + ": " + range;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public String range() {
    return range;
  }

  @Override
  public Map<String, Object> jsonSchema() {
    return jsonSchema;
  }
}
