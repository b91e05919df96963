package org.calando.session.internal.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.calando.core.policy.Observation;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PropagationLags;
import org.calando.session.TableName;
import org.junit.jupiter.api.Test;

class PublicationCodecTest {
  private static final TableName ORDERS = new TableName("Shop", "orders");
  private static final TableName STOCK = new TableName("Shop", "stöck");
  private static final TruthTotal TRUTH =
      new TruthTotal(-7, 120, 30, Map.of(LagModel.MEASURED, 28.5, LagModel.LAST, 33.25));

  private static Publication publication(int samples, SplittableRandom random) {
    double[][] rows = new double[samples][];
    for (int i = 0; i < samples; i++) {
      double last = i % 7 == 0 ? Double.POSITIVE_INFINITY : 0.02 + random.nextDouble() / 100;
      rows[i] =
          new double[] {0, random.nextDouble() / 100, last, 0.011, Double.NaN, 0.001 + i * 1e-6};
    }
    return new Publication(
        17,
        Long.MIN_VALUE + 3,
        12,
        new SignalFigures(
            Optional.of(new Observation.Lags(-250_000_000, PropagationLags.of(3, rows))),
            3,
            2,
            true,
            Map.of(
                ORDERS, new Observation.Rates(-1, 12.5, 0.25, 100),
                STOCK, new Observation.Rates(-2_000_000_000, 0, Double.NaN, Double.NaN))),
        TRUTH);
  }

  private static Publication read(ByteBuffer bytes) {
    return PublicationCodec.read(bytes).orElseThrow();
  }

  @Test
  void whatIsReadIsWhatWasWritten() {
    Publication written = publication(60, new SplittableRandom(1));
    Publication read = read(PublicationCodec.write(written));
    assertThat(read.sequence()).isEqualTo(17);
    assertThat(read.publishedNanos()).isEqualTo(Long.MIN_VALUE + 3);
    assertThat(read.instances()).isEqualTo(12);
    assertThat(read.truth()).isEqualTo(TRUTH);
    assertThat(read.figures().rates()).isEqualTo(written.figures().rates());
    assertThat(read.figures().replicas()).isEqualTo(3);
    assertThat(read.figures().liveReplicas()).isEqualTo(2);
    assertThat(read.figures().strained()).isTrue();
    Observation.Lags lags = read.figures().lags().orElseThrow();
    assertThat(lags.atNanos()).isEqualTo(-250_000_000);
    assertThat(lags.sample().samples()).isEqualTo(60);
    for (int i = 0; i < 60; i++) {
      assertThat(lags.sample().row(i))
          .containsExactly(written.figures().lags().orElseThrow().sample().row(i), within(0.6e-6));
    }
  }

  @Test
  void nothingKnownIsToldToo() {
    Publication none = new Publication(1, 2, 1, SignalFigures.NONE, TruthTotal.NONE);
    assertThat(read(PublicationCodec.write(none))).isEqualTo(none);
  }

  @Test
  void theNewestSamplesAreToldAndTakeLittle() {
    ByteBuffer bytes = PublicationCodec.write(publication(400, new SplittableRandom(1)));
    assertThat(bytes.remaining()).isLessThan(5000);
    PropagationLags sample = read(bytes).figures().lags().orElseThrow().sample();
    assertThat(sample.samples()).isEqualTo(256);
    assertThat(sample.ackSeconds(255)).isCloseTo(0.001 + 399e-6, within(1e-6));
  }

  @Test
  void whatSeemsToBeFromTheFutureIsVeryOld() {
    SignalFigures figures =
        new SignalFigures(
            Optional.empty(), 3, 3, false, Map.of(ORDERS, new Observation.Rates(5, 1, 1, 1)));
    Publication read =
        read(PublicationCodec.write(new Publication(1, 2, 1, figures, TruthTotal.NONE)));
    assertThat(read.figures().rates().get(ORDERS).atNanos()).isLessThan(-(1L << 60));
  }

  @Test
  void otherBytesAreNone() {
    for (long seed = 1; seed <= 2000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = PublicationCodec.write(publication(5, random)).array();
      int at = random.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 << random.nextInt(8));
      assertThat(PublicationCodec.read(ByteBuffer.wrap(bytes))).as("seed %d", seed).isEmpty();
      ByteBuffer part = ByteBuffer.wrap(bytes, 0, random.nextInt(bytes.length));
      assertThat(PublicationCodec.read(part)).as("seed %d", seed).isEmpty();
    }
    assertThat(PublicationCodec.read(ByteBuffer.allocate(0))).isEmpty();
    assertThat(PublicationCodec.read(ByteBuffer.allocate(100))).isEmpty();
  }

  @Test
  void nonsenseWithARightChecksumIsNoneOrSense() {
    for (long seed = 1; seed <= 20_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] content = new byte[1 + random.nextInt(60)];
      random.nextBytes(content);
      content[0] = PublicationCodec.VERSION;
      var unused = PublicationCodec.read(PublicationCodec.checked(content)); // does not throw
    }
  }
}
