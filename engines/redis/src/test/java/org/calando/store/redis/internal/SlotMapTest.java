package org.calando.store.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.calando.store.redis.internal.wire.Endpoint;
import org.junit.jupiter.api.Test;

class SlotMapTest {
  private static final Map<String, Integer> INDICES =
      Map.of("10.0.0.1:7001", 0, "10.0.0.2:7001", 1, "two.example:7001", 1);

  @Test
  void beforeAnyAnswerNoSlotHasAMaster() {
    assertThat(SlotMap.EMPTY.isComplete()).isFalse();
    assertThat(SlotMap.EMPTY.owners()).isEmpty();
  }

  @Test
  void everySlotHasTheMasterThatIsTold() {
    SlotMap slots =
        slots(range(0, 8191, bytes("10.0.0.1"), 7001), range(8192, 16_383, "10.0.0.2", 7001));
    assertThat(slots.isComplete()).isTrue();
    assertThat(slots.owners()).containsExactly(0, 1);
    assertThat(slots.strangers()).isEmpty();
  }

  @Test
  void slotsThatNobodyServesAreMissed() {
    assertThat(slots(range(0, 16_382, "10.0.0.1", 7001)).isComplete()).isFalse();
  }

  @Test
  void aNodeThatTellsNoAddressIsWhereItWasAsked() {
    for (Object nothing : Arrays.asList(null, "", new byte[0])) {
      SlotMap slots = slots(range(0, 16_383, nothing, 7001));
      assertThat(slots.isComplete()).isTrue();
      assertThat(slots.owners()).containsExactly(0);
      assertThat(Endpoint.of(Arrays.asList(nothing, 7002L), "10.0.0.1"))
          .contains(new Endpoint("10.0.0.1", 7002));
    }
  }

  @Test
  void aNameStandsForTheNodeThatItWasFoundAs() {
    assertThat(slots(range(0, 16_383, "two.example", 7001)).owners()).containsExactly(1);
  }

  @Test
  void mastersThatAreNotKnownAreNamed() {
    SlotMap slots = slots(range(0, 9, "10.0.0.1", 7001), range(10, 16_383, "three.example", 7001));
    assertThat(slots.isComplete()).isFalse();
    assertThat(slots.strangers()).containsExactly("three.example:7001");
  }

  @Test
  void whatIsNoNodeIsLeftOut() {
    assertThat(Endpoint.of("text", "h")).isEmpty();
    assertThat(Endpoint.of(List.of("h"), "h")).isEmpty();
    assertThat(Endpoint.of(List.of("h", 0L), "h")).isEmpty();
    assertThat(Endpoint.of(List.of("h", 65_536L), "h")).isEmpty();
  }

  private static SlotMap slots(Object... ranges) {
    return SlotMap.of(List.of(ranges), "10.0.0.1", INDICES);
  }

  private static List<Object> range(long first, long last, Object host, long port) {
    return List.of(first, last, Arrays.asList(host, port, "id"));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
