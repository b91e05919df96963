package org.calando.knob;

import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.scalarOrMapping;

import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;
import org.calando.core.store.Capable;
import org.calando.report.column.Column;
import org.calando.schema.Binding;
import org.calando.schema.Bound;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Refusal;
import org.calando.schema.Tree;
import org.calando.schema.Type;
import org.calando.schema.Values;
import org.calando.schema.Where;
import org.jspecify.annotations.Nullable;

/**
 * A kind of knob as what a matrix may vary: values that are held, and policies. Immutable and
 * thread safe.
 */
public final class KnobAxis<V> {
  private final KnobType<V> type;
  private final Axis<KnobChoice<V>> axis;
  private final Column column;

  /** That of a kind of knob. */
  public KnobAxis(KnobType<V> type) {
    this.type = type;
    String name = type.id().name();
    this.axis =
        Axis.of(name, new Choice<>(type), KnobChoice::label, type.doc(), type.example())
            .called(choice -> name + " " + choice.label(), choice -> name + " " + choice.label());
    String header = Column.KNOB + name.replace('-', '_');
    this.column = new Column(header, "", type.doc(), run -> run.text(header));
  }

  /** The kind of knob. */
  public KnobType<V> type() {
    return type;
  }

  /** Its axis. */
  public Axis<KnobChoice<V>> axis() {
    return axis;
  }

  /** What it was set to in a run, or the policy, by {@link KnobChoice#label}. */
  public Column column() {
    return column;
  }

  /** A value in the words of journals. */
  public String text(V value) {
    return type.values().text(value);
  }

  /**
   * The knob of a cluster.
   *
   * @throws BadRequestException if the cluster does not offer it, or it stays as it is set when its
   *     owner ends: a run and a governor leave knobs as they were
   */
  public Knob<V> bind(Capable cluster, String where) {
    Knob<V> knob =
        type.bind(cluster)
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "the knob " + axis + " needs " + type.needs(), where, "remove " + axis));
    if (knob.lifetime() == Knob.Lifetime.DURABLE) {
      throw new BadRequestException(
          "the knob " + axis + " of " + knob.target() + " stays as it is set when its owner ends",
          where,
          "remove " + axis + "; set it by a command of its own");
    }
    return knob;
  }

  /**
   * What it is set to on a cluster, in words; changes nothing.
   *
   * @throws BadRequestException if the cluster does not offer it
   */
  public String examine(Capable cluster, String where) {
    Knob<V> knob = bind(cluster, where);
    return "%s is %s".formatted(knob.target(), text(knob.current()));
  }

  /**
   * The plan of a journal, made again.
   *
   * @throws IllegalArgumentException if these are no values
   */
  public Plan plan(String target, String before, String value) {
    return type.reach(target).plan(parse(before), parse(value));
  }

  /** The same knob as it was. */
  public V parse(String text) {
    try {
      return type.values().parse(new Tree.Scalar(Where.argument(text), text, false));
    } catch (Refusal e) {
      throw new IllegalArgumentException("'" + text + "' " + e.what(), e);
    }
  }

  /** A value, or one of the policies. */
  private static final class Choice<V> implements Type<KnobChoice<V>> {
    /** Without how it is written, which makes it what it is. */
    private record Draft<V>(Optional<V> held, Optional<Controller<?>> controller) {}

    private final KnobType<V> knob;
    private final Type<Draft<V>> draft;

    Choice(KnobType<V> knob) {
      this.knob = knob;
      Type<Draft<V>> held =
          mapped(knob.values(), value -> new Draft<>(Optional.of(value), Optional.empty()));
      this.draft = knob.policies().isEmpty() ? held : scalarOrMapping(held, policy(knob));
    }

    private static <V> Type<Draft<V>> policy(KnobType<V> knob) {
      Key<?>[] keys = knob.policies().toArray(Key<?>[]::new);
      String name = "a policy of " + knob.id().name();
      return ObjectType.named(name, "What sets the knob; exactly one of the keys.")
          .keys(keys)
          .check(policy -> policy.requireExactlyOne(keys))
          .build(policy -> new Draft<>(Optional.empty(), Optional.of(find(knob, policy))));
    }

    private static Controller<?> find(KnobType<?> knob, Values policy) {
      return knob.policies().stream()
          .<Controller<?>>flatMap(key -> policy.find(key).stream())
          .findFirst()
          .orElseThrow();
    }

    @Override
    public @Nullable Bound<KnobChoice<V>> bind(Tree tree, Binding at) {
      Bound<Draft<V>> bound = draft.bind(tree, at);
      if (bound == null) {
        return null;
      }
      Draft<V> found = bound.value();
      String label =
          found
              .held()
              .map(value -> knob.values().text(value))
              .orElseGet(() -> found.controller().orElseThrow().name());
      return new Bound<>(
          new KnobChoice<>(label, found.held(), found.controller(), bound.plain()), bound.plain());
    }

    @Override
    public String label() {
      return draft.label();
    }

    @Override
    public String range() {
      return draft.range();
    }

    @Override
    public Map<String, Object> jsonSchema() {
      return draft.jsonSchema();
    }

    @Override
    public void objects(String path, BiConsumer<String, ObjectType<?>> visitor) {
      draft.objects(path, visitor);
    }
  }
}
