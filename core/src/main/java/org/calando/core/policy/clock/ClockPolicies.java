package org.calando.core.policy.clock;

import java.util.List;
import org.calando.core.BadRequestException;

/** The policies of clocks by the names that studies use. */
public final class ClockPolicies {
  /** Their names. */
  public static final List<String> NAMES = List.of("all-high", "all-low", "concerto", "slack");

  private ClockPolicies() {}

  /**
   * The policy of a name.
   *
   * @param name one of {@link #NAMES}
   * @param limits of those that lower replicas only
   * @param slack of the one that predicts
   * @param where the place of the name, for the message
   * @throws BadRequestException if there is none of that name
   */
  public static ClockPolicy byName(
      String name, ClockLimits limits, SlackLimits slack, String where) {
    return switch (name) {
      case "all-high" -> FixedClockPolicy.ALL_HIGH;
      case "all-low" -> FixedClockPolicy.ALL_LOW;
      case "concerto" -> new ConcertoPolicy(limits);
      case "slack" -> new SlackPolicy(limits, slack);
      default ->
          throw new BadRequestException(
              "there is no policy of clocks named '" + name + "'",
              where,
              "choose one of " + String.join(", ", NAMES));
    };
  }
}
