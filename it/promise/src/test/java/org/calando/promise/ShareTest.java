package org.calando.promise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.calando.promise.Share.Block;
import org.junit.jupiter.api.Test;

class ShareTest {
  @Test
  void blocksThatDifferWidenTheInterval() {
    Share alike = Share.of(Collections.nCopies(20, new Block(100, 10)));
    assertThat(alike.value()).isEqualTo(0.1);
    assertThat(alike.high() - alike.low()).isLessThan(1e-9);
    Share unlike =
        Share.of(
            IntStream.range(0, 20).mapToObj(i -> new Block(100, i % 2 == 0 ? 0 : 20)).toList());
    assertThat(unlike.value()).isEqualTo(0.1);
    assertThat(unlike.low()).isCloseTo(0.1 - 2.093 * 0.1 / Math.sqrt(19), within(1e-3));
  }

  @Test
  void blocksWithoutReadsSayNothing() {
    Share share = Share.of(List.of(new Block(0, 0), new Block(50, 5), new Block(50, 15)));
    assertThat(share.count()).isEqualTo(100);
    assertThat(share.value()).isEqualTo(0.2);
    assertThat(Share.of(List.of(new Block(5, 1))).low()).isNaN();
    assertThat(Share.of(List.of()).value()).isNaN();
  }

  @Test
  void noneSeenIsNotNone() {
    assertThat(Share.of(Collections.nCopies(20, new Block(15, 0))).high()).isEqualTo(0.01);
  }

  /** Of 400 samples of correlated reads, the interval has the truth in some 95 of 100. */
  @Test
  void intervalsCoverTheTruth() {
    long seed = 42;
    SplittableRandom random = new SplittableRandom(seed);
    int covered = 0;
    for (int sample = 0; sample < 400; sample++) {
      Share share =
          Share.of(
              IntStream.range(0, 20)
                  .mapToObj(
                      i -> {
                        double rate = 0.1 + 0.1 * (random.nextDouble() - 0.5);
                        int reads = 80 + random.nextInt(40);
                        return new Block(
                            reads,
                            IntStream.range(0, reads)
                                .filter(read -> random.nextDouble() < rate)
                                .count());
                      })
                  .toList());
      covered += share.low() <= 0.1 && share.high() >= 0.1 ? 1 : 0;
    }
    assertThat(covered).as("seed %d", seed).isBetween(364, 396);
  }

  @Test
  void verdictsNeedTheIntervalAndEnoughReads() {
    assertThat(Verdict.of(new Share(1000, 40, 0.03, 0.05), 0.05, 0, 0.2)).isEqualTo(Verdict.KEPT);
    assertThat(Verdict.of(new Share(1000, 60, 0.04, 0.08), 0.05, 0, 0.2))
        .isEqualTo(Verdict.UNDECIDED);
    assertThat(Verdict.of(new Share(1000, 90, 0.06, 0.12), 0.05, 0, 0.2)).isEqualTo(Verdict.BROKEN);
    assertThat(Verdict.of(new Share(1000, 0, 0, 0.003), 0.05, 11, 0.2)).isEqualTo(Verdict.ERRORS);
    assertThat(Verdict.of(new Share(50, 0, 0, 0.06), 0.05, 0, 0.2)).isEqualTo(Verdict.TOO_FEW);
    assertThat(Verdict.of(new Share(60, 0, 0, 0.05), 0.05, 0, 0.2)).isEqualTo(Verdict.KEPT);
  }

  @Test
  void leastReplicasMixTheLevelsAroundThePromise() {
    assertThat(Least.replicas(0.2, 0.15, 0.02, 3)).isEqualTo(1);
    assertThat(Least.replicas(0.05, 0.20, 0, 3)).isCloseTo(1.75, within(1e-9));
    assertThat(Least.replicas(0.01, 0.20, 0.02, 3)).isCloseTo(2.5, within(1e-9));
    assertThat(Least.replicas(0.05, 0.20, 0, 5)).isCloseTo(2.5, within(1e-9));
    assertThat(Least.replicas(0.05, Double.NaN, Double.NaN, 3)).isNaN();
  }
}
