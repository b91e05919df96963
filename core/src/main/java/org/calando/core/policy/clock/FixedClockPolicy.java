package org.calando.core.policy.clock;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;
import org.calando.core.policy.clock.ClockObservation.Node;

/**
 * Sets every node alike, whatever is observed: what others are compared with, Lee and Lee's ALL-H
 * and ALL-L. {@link #ALL_LOW} slows masters too: it is a baseline of studies, not a thing to leave
 * running. Immutable and thread safe.
 */
public final class FixedClockPolicy implements ClockPolicy {
  /** Every node at its highest clock. */
  public static final FixedClockPolicy ALL_HIGH = new FixedClockPolicy("all-high");

  /** Every node at its lowest clock, masters too. */
  public static final FixedClockPolicy ALL_LOW = new FixedClockPolicy("all-low");

  private final String name;

  private FixedClockPolicy(String name) {
    this.name = name;
  }

  @Override
  public Step<ClockState> decide(ClockState state, ClockObservation observation) {
    List<Setting<?>> settings = new ArrayList<>();
    for (Node node : observation.nodes()) {
      long kHz = this == ALL_HIGH ? node.highestKHz() : node.lowestKHz();
      settings.add(new Setting<>(KnobId.CLOCK, node.name(), kHz));
    }
    return new Step<>(ClockState.INITIAL, settings, List.of(name + ": always"));
  }

  @Override
  public String name() {
    return name;
  }
}
