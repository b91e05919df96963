package org.calando.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.control.KnobKit;
import org.calando.core.layout.RingTokens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenKnobKitTest {
  @TempDir Path folder;

  private static KnobKit.World<RingTokens> world() {
    FakeRing ring = new FakeRing(0, 100, 200);
    RingState cluster = ring.state();
    return new KnobKit.World<>() {
      @Override
      public TokenKnob knob() {
        return new TokenKnob(cluster, ring, ring, ring, Duration.ofHours(1));
      }

      @Override
      public Map<String, Long> state() {
        return ring.places();
      }
    };
  }

  @Test
  void aPlanOfMovesThatIsCutOffAnywhereIsResumedAndTakenBack() throws InterruptedException {
    RingTokens before = RingTokens.now(new FakeRing(0, 100, 200).tokens());
    Map<String, BigInteger> after = new TreeMap<>(before.tokens());
    after.put("h2", BigInteger.valueOf(150));
    after.put("h1", BigInteger.valueOf(50));
    RingTokens to = new RingTokens("half", after, List.of("h2", "h1"), false);
    assertThat(new KnobKit<>(folder, TokenKnobKitTest::world, knob -> to).check()).isEqualTo(4);
  }
}
