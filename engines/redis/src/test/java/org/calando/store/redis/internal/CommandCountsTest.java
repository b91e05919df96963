package org.calando.store.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class CommandCountsTest {
  private static final CommandCounts.Kinds KINDS =
      new CommandCounts.Kinds(
          Set.of("set", "getset", "xgroup|create"), Set.of("get", "getset", "exists"));

  @Test
  void commandsAreCountedByWhatTheyDo() {
    String stats =
        """
        # Commandstats\r
        cmdstat_set:calls=3,usec=10,usec_per_call=3.33,rejected_calls=0,failed_calls=0\r
        cmdstat_get:calls=5,usec=7,usec_per_call=1.40\r
        cmdstat_getset:calls=2,usec=4,usec_per_call=2.00\r
        cmdstat_xgroup|create:calls=1,usec=1,usec_per_call=1.00\r
        cmdstat_info:calls=100,usec=1000,usec_per_call=10.00\r
        cmdstat_exists:calls=x,usec=y\r
        """;
    // A command that does both changes data.
    assertThat(CommandCounts.of(stats, KINDS)).isEqualTo(new CommandCounts(6, 15_000, 5, 7_000));
  }

  @Test
  void nothingIsCountedOfNothing() {
    assertThat(CommandCounts.of("", KINDS)).isEqualTo(new CommandCounts(0, 0, 0, 0));
    assertThat(new CommandCounts.Kinds(Set.of(), Set.of("get")).known()).isFalse();
  }
}
