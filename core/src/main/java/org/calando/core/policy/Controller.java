package org.calando.core.policy;

import java.util.Set;

/**
 * Decides, from signals that each have their age, what knobs are to be set to. Pure: the same state
 * and signals give the same decision, on any machine, so that one object drives the simulator, a
 * study, an application's session and a governor, decisions replay, and a restart resumes from the
 * state that was written. Implementations are immutable and thread safe. {@link PolicyLoop} alone
 * calls {@link #decide}.
 *
 * @param <S> what it remembers; immutable
 */
public interface Controller<S> {
  /** Its name in results and reasons, with what distinguishes it: {@code harmony 5%}. */
  String name();

  /** Signals without which it cannot decide. */
  Set<SignalId<?>> needs();

  /** Knobs that its steps may set. */
  Set<KnobId<?>> sets();

  /** What it remembers before the first decision. */
  S initial();

  /**
   * Decides.
   *
   * @param state what the last decision remembered, or {@link #initial}
   * @param signals what is known now, with all that it {@link #needs}
   */
  Step<S> decide(S state, Signals signals);

  /** The state as a line of text. */
  String write(S state);

  /**
   * The state that {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  S read(String text);
}
