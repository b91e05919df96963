package org.calando.knob;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.junit.jupiter.api.Test;

class LagRecordTest {
  private final LagRecord record = new LagRecord();

  @Test
  void withoutALookNothingIsKnown() {
    assertThat(record.lag().p50Bytes()).isNaN();
    assertThat(record.lag().maxBytes()).isNaN();
    assertThat(record.lag().maxNanos()).isNaN();
  }

  @Test
  void theGreatestIsExactAndTheMedianIsOfAllReplicas() {
    for (long lag : new long[] {0, 10, 20, 30}) {
      look(Role.REPLICA, OptionalLong.of(lag));
    }
    look(Role.REPLICA, OptionalLong.of(123_457));
    assertThat(record.lag().p50Bytes()).isEqualTo(20);
    assertThat(record.lag().maxBytes()).isEqualTo(123_457);
    assertThat(record.lag().maxNanos()).isEqualTo(123_457);
    assertThat(record.unknown()).isZero();
  }

  @Test
  void mastersHaveNoneAndWhatIsNotKnownIsCountedApart() {
    look(Role.MASTER, OptionalLong.empty());
    look(Role.UNKNOWN, OptionalLong.empty());
    assertThat(record.unknown()).isZero();
    look(Role.REPLICA, OptionalLong.empty());
    assertThat(record.unknown()).isEqualTo(1);
    assertThat(record.lag().maxBytes()).isNaN();
  }

  @Test
  void aLagBeyondAllMeasureIsKeptAsItIs() {
    look(Role.REPLICA, OptionalLong.of(Long.MAX_VALUE));
    assertThat(record.lag().maxBytes()).isEqualTo(Long.MAX_VALUE);
  }

  private void look(Role role, OptionalLong lag) {
    NodeRole word = new NodeRole("n1", 1, "a", role, "", true, 0, 0, 0);
    record.look(List.of(new NodeView(word, role != Role.REPLICA, false, false, lag, lag)));
  }
}
