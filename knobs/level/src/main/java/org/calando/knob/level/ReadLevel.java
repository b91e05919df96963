package org.calando.knob.level;

import java.util.Locale;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReadFrom;

/** At which level a configuration reads: always the same, or what a policy decides. */
sealed interface ReadLevel {

  /** What results call it: {@code QUORUM}, {@code harmony(5%)}. */
  String label();

  /**
   * The same level for every read. Immutable and thread safe.
   *
   * @param level the level
   */
  record Fixed(ConsistencyLevel level) implements ReadLevel {
    @Override
    public String label() {
      return level.name();
    }
  }

  /**
   * Every read from one node of a kind, of a store with one master. Immutable and thread safe.
   *
   * @param from which node
   */
  record From(ReadFrom from) implements ReadLevel {
    @Override
    public String label() {
      return from.name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What a policy decides while the run goes. Immutable and thread safe.
   *
   * @param policy the policy
   */
  record Adaptive(PolicySpec policy) implements ReadLevel {
    @Override
    public String label() {
      return policy.label();
    }
  }
}
