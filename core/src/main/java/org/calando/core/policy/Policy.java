package org.calando.core.policy;

/**
 * Decides, from what was observed, what the knobs are to be set to. Pure: the same state and
 * observation give the same decision, on any machine, so that decisions replay and a restart goes
 * on from the state that was written. Implementations are immutable and thread safe.
 *
 * @param <S> what it remembers; immutable
 */
public interface Policy<S> {
  /** Its name in results and reasons, with what distinguishes it: {@code harmony 5%}. */
  String name();

  /** What it remembers before the first decision. */
  S initial();

  /**
   * Decides.
   *
   * @param state what the last decision remembered, or {@link #initial}
   * @param observation what is known now
   */
  Step<S> decide(S state, Observation observation);

  /** The state as a line of text. */
  String write(S state);

  /**
   * The state that {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  S read(String text);
}
