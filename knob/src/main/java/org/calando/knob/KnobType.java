package org.calando.knob;

import java.util.List;
import java.util.Optional;
import org.calando.control.Sensor;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.store.Capable;
import org.calando.report.column.Column;
import org.calando.report.column.RunRecord;
import org.calando.schema.Key;
import org.calando.schema.ScalarType;

/**
 * A kind of knob: what files say of it, how a cluster offers it, and what decides on it. It needs
 * no class but its own: it is found as a service, in {@code
 * META-INF/services/org.calando.knob.KnobType}, by the constructor without parameters.
 *
 * <p>Its key of the matrix, and of what controls a governed cluster, is the name of {@link #id},
 * and so is its column of results.csv, after {@code knob_}. Implementations are stateless and
 * thread safe.
 *
 * @param <V> what it can be set to; immutable, with a value's equality
 */
public interface KnobType<V> {
  /**
   * Its name in files and journals, and the type of its values. The name has a-z, 0-9 and - between
   * them, and is no other knob's, and no key of the matrix or of a policy.
   */
  KnobId<V> id();

  /** What it does and on which clusters, in a sentence or two, for the reference page. */
  String doc();

  /** A list of values and policies in YAML. */
  String example();

  /** How a value is written, in files and journals. */
  ScalarType<V> values();

  /**
   * Its policies by their keys, each of a mapping; none by default. Controllers of one mapping are
   * alike, and their {@link Controller#name} says what distinguishes them.
   */
  default List<Key<? extends Controller<?>>> policies() {
    return List.of();
  }

  /**
   * The knob of a cluster, asked for by capability; nothing is changed, and nothing is asked of the
   * cluster. Its {@link Knob#target} says all that {@link #reach} needs.
   *
   * @return empty if the cluster does not offer it
   */
  Optional<Knob<V>> bind(Capable cluster);

  /**
   * Whether the session of a run offers it, and no cluster: then it is bound when the run begins,
   * ends with that, and only studies set it. False by default.
   */
  default boolean ofSessions() {
    return false;
  }

  /** What a cluster has to be to offer it, as in {@code needs ...}. */
  String needs();

  /**
   * The knob of a target that {@link #bind} found, in a process that knows no cluster: how one that
   * was killed is restored.
   *
   * @throws org.calando.core.CalandoException if it cannot be reached
   */
  Knob<V> reach(String target);

  /**
   * What its policies decide from. It must not wait for the cluster for longer than a period.
   *
   * @param knob that {@link #bind} found
   * @return empty if it has no policies
   */
  default Optional<Sensor> sensor(Capable cluster, Knob<V> knob) {
    return Optional.empty();
  }

  /** Columns of results.csv beside that of what it is set to; none by default. */
  default List<Column> columns() {
    return List.of();
  }

  /**
   * Gives a run's record what {@link #columns} show, when its measured window has ended; nothing by
   * default.
   */
  default void record(Capable cluster, RunRecord run) {}
}
