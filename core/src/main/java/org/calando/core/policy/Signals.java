package org.calando.core.policy;

import java.util.Map;
import java.util.Optional;

/**
 * All that a decision is made from. Immutable and thread safe.
 *
 * @param atNanos when the decision is taken, on the loop's monotonic clock
 * @param target what is decided for: a table, a cluster, a session
 * @param byId the signals, each with its own time; those of no sensor are left out
 */
public record Signals(long atNanos, String target, Map<SignalId<?>, Signal<?>> byId)
    implements Observed {
  public Signals {
    byId = Map.copyOf(byId);
    for (Map.Entry<SignalId<?>, Signal<?>> each : byId.entrySet()) {
      if (!each.getKey().type().isInstance(each.getValue().value())) {
        throw new IllegalArgumentException(
            "signal '" + each.getKey().name() + "' of " + each.getValue().value());
      }
    }
  }

  /** One signal that is of the time of the decision. */
  public static <T> Signals of(long atNanos, String target, SignalId<T> id, T value) {
    return new Signals(atNanos, target, Map.of(id, new Signal<>(value, atNanos)));
  }

  /** A signal, however old; empty if no sensor has it. */
  public <T> Optional<T> find(SignalId<T> id) {
    return Optional.ofNullable(byId.get(id)).map(signal -> id.type().cast(signal.value()));
  }

  /**
   * A signal that is needed, however old.
   *
   * @throws IllegalStateException if no sensor has it
   */
  public <T> T get(SignalId<T> id) {
    return find(id).orElseThrow(() -> new IllegalStateException("no signal '" + id.name() + "'"));
  }

  @Override
  public Signals signals() {
    return this;
  }
}
