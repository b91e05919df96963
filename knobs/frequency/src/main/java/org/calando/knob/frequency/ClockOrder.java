package org.calando.knob.frequency;

import org.calando.core.policy.clock.ClockPolicies;
import org.calando.report.ValueOrder;
import org.calando.report.column.Column;
import org.calando.report.column.RunColumns;

/** By the list of policies' names; runs without a policy come first, unknown policies last. */
public final class ClockOrder implements ValueOrder {
  @Override
  public Column column() {
    return RunColumns.CLOCK;
  }

  @Override
  public int compare(String one, String other) {
    return Integer.compare(rank(one), rank(other));
  }

  private static int rank(String policy) {
    int rank = ClockPolicies.NAMES.indexOf(policy);
    return policy.isEmpty() || rank >= 0 ? rank : ClockPolicies.NAMES.size();
  }
}
