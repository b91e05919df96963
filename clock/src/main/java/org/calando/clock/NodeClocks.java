package org.calando.clock;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The clocks of nodes' processors, on this machine or others. Where nodes share one, the fastest of
 * them wins; one that was not told yet counts as the fastest. Implementations are thread safe.
 */
public interface NodeClocks {
  /** The nodes. */
  Set<String> nodes();

  /** Nodes that can have no clock of their own: those that share one, together. */
  List<Set<String>> conflicts();

  /**
   * The clocks that a node can be set to.
   *
   * @throws org.calando.core.BadRequestException if there is no such node
   */
  Frequencies frequencies(String node);

  /**
   * Sets a node's clock; all that can be set is set, also where a part is refused.
   *
   * @param kiloHertz the least that it is to have; the next that the hardware has is set
   * @throws org.calando.core.BadRequestException if there is no such node
   * @throws IllegalArgumentException if the clock is not above 0
   */
  ClockOutcome set(String node, long kiloHertz);

  /**
   * Sets the clocks of several nodes, those of one machine in the map's order and machines at once.
   *
   * @return what became of each, in the map's order
   */
  default List<ClockOutcome> set(Map<String, Long> kiloHertz) {
    List<ClockOutcome> outcomes = new ArrayList<>();
    kiloHertz.forEach((node, clock) -> outcomes.add(set(node, clock)));
    return outcomes;
  }

  /**
   * Looks at all clocks, and sets those again that are not as they were set: somebody else has
   * changed them, the hardware did not keep them, or they could not be set before.
   *
   * @return what is another than at the last look, each change once
   */
  List<Drift> verify();

  /** The lowest clock in force on a node's processors as last read, in kHz; 0 if not known. */
  long kiloHertz(String node);
}
