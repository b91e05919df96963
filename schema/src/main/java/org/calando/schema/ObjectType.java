package org.calando.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.calando.core.Nearest;
import org.jspecify.annotations.Nullable;

/**
 * A mapping with known keys.
 *
 * <p>Binding reports every unknown, missing and wrong key, then runs the checks, then builds the
 * value, which it does only if nothing below it was wrong. Immutable and thread safe.
 */
public final class ObjectType<T> implements Type<T> {
  private final String name;
  private final String doc;
  private final List<Key<?>> keys;
  private final Consumer<Values> check;
  private final Function<Values, T> build;

  private ObjectType(
      String name,
      String doc,
      List<Key<?>> keys,
      Consumer<Values> check,
      Function<Values, T> build) {
    this.name = name;
    this.doc = doc;
    this.keys = keys;
    this.check = check;
    this.build = build;
  }

  /** Collects the parts of a mapping's type. */
  public static final class Builder {
    private final String name;
    private final String doc;
    private final List<Key<?>> keys = new ArrayList<>();
    private Consumer<Values> check = values -> {};

    private Builder(String name, String doc) {
      this.name = name;
      this.doc = doc;
    }

    /** Adds keys, in the order of the reference page and of the canonical text. */
    public Builder keys(Key<?>... more) {
      return keys(List.of(more));
    }

    /**
     * Adds keys, in this order.
     *
     * @throws IllegalStateException if there is one of that name
     */
    public Builder keys(List<? extends Key<?>> more) {
      for (Key<?> key : more) {
        if (keys.stream().anyMatch(other -> other.name().equals(key.name()))) {
          throw new IllegalStateException(name + " has the key " + key.name() + " twice");
        }
        keys.add(key);
      }
      return this;
    }

    /**
     * Adds a check of values against each other; it sees only those that are right by themselves.
     */
    public Builder check(Consumer<Values> another) {
      check = check.andThen(another);
      return this;
    }

    /** The type, whose values are made from values that have passed all checks. */
    public <T> ObjectType<T> build(Function<Values, T> build) {
      return new ObjectType<>(name, doc, List.copyOf(keys), check, build);
    }
  }

  /**
   * Begins a type.
   *
   * @param name what the mapping is: {@code a local cluster}
   * @param doc one or two sentences for the reference page
   */
  public static Builder named(String name, String doc) {
    return new Builder(name, doc);
  }

  @Override
  public @Nullable Bound<T> bind(Tree tree, Binding at) {
    if (!(tree instanceof Tree.Mapping mapping)) {
      at.error(tree.where(), "is " + tree.shape() + ", not " + label(), "write its keys below it");
      return null;
    }
    int before = at.problems().count();
    reportUnknown(mapping, at);
    Values values = new Values(mapping, at);
    Map<String, Object> plain = new LinkedHashMap<>();
    for (Key<?> key : keys) {
      bindKey(key, mapping, at, values, plain);
    }
    check.accept(values);
    return at.problems().count() > before ? null : new Bound<>(build.apply(values), plain);
  }

  private <V> void bindKey(
      Key<V> key, Tree.Mapping mapping, Binding at, Values values, Map<String, Object> plain) {
    Optional<Tree.Entry> entry = mapping.find(key.name());
    Bound<V> bound = null;
    if (entry.isPresent()) {
      bound = key.type().bind(entry.get().value(), at.key(key.name()));
    } else if (key.required()) {
      at.key(key.name()).error(mapping.where(), "is missing", "write " + key.type().label());
    } else if (key.defaultText().isPresent() && defaultHolds(key, mapping)) {
      bound = key.bindDefault(key.defaultText().get());
    }
    if (bound != null) {
      values.put(key, bound.value());
      plain.put(key.name(), bound.plain());
    }
  }

  private static boolean defaultHolds(Key<?> key, Tree.Mapping mapping) {
    return key.defaultIfGiven().isEmpty() || mapping.find(key.defaultIfGiven()).isPresent();
  }

  private void reportUnknown(Tree.Mapping mapping, Binding at) {
    List<String> known = keys.stream().map(Key::name).toList();
    for (Tree.Entry entry : mapping.entries()) {
      if (!known.contains(entry.name())) {
        at.key(entry.name())
            .error(entry.where(), "unknown key", Nearest.advice(entry.name(), known));
      }
    }
  }

  /** The keys in order. */
  public List<Key<?>> keys() {
    return keys;
  }

  /** What the mapping is for. */
  public String doc() {
    return doc;
  }

  @Override
  public String label() {
    return "a mapping (" + name + ")";
  }

  @Override
  public String range() {
    return "";
  }

  @Override
  public Map<String, Object> jsonSchema() {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Key<?> key : keys) {
      properties.put(key.name(), JsonSchema.property(key));
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("description", doc);
    schema.put("additionalProperties", false);
    List<String> required = keys.stream().filter(Key::required).map(Key::name).toList();
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    schema.put("properties", properties);
    return schema;
  }

  @Override
  public void objects(String path, BiConsumer<String, ObjectType<?>> visitor) {
    visitor.accept(path, this);
    for (Key<?> key : keys) {
      key.type().objects(Binding.join(path, key.name()), visitor);
    }
  }
}
