package org.calando.core.workload.internal.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.calando.core.workload.InsertSequence;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.RequestDistribution.Exponential;
import org.calando.core.workload.RequestDistribution.Hotspot;
import org.calando.core.workload.RequestDistribution.Latest;
import org.calando.core.workload.RequestDistribution.ScrambledZipfian;
import org.calando.core.workload.RequestDistribution.Sequential;
import org.calando.core.workload.RequestDistribution.Uniform;
import org.calando.core.workload.RequestDistribution.Zipfian;
import org.calando.core.workload.Workload;
import org.junit.jupiter.api.Test;
import site.ycsb.Utils;
import site.ycsb.generator.AcknowledgedCounterGenerator;
import site.ycsb.generator.ExponentialGenerator;
import site.ycsb.generator.HotspotIntegerGenerator;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.generator.ScrambledZipfianGenerator;
import site.ycsb.generator.SkewedLatestGenerator;
import site.ycsb.generator.ZipfianGenerator;

class KeyChoosersTest {
  private static final int DRAWS = 500_000;
  private static final int RECORDS = 1000;

  private final InsertSequence inserts = new InsertSequence(RECORDS);

  @Test
  void uniformKeysAreUniformOverTheLoadedRecords() {
    Workload workload =
        Workload.builder()
            .records(RECORDS)
            .insertStart(100)
            .insertCount(500)
            .requests(new Uniform())
            .build();
    double[] even = new double[500];
    Arrays.fill(even, 1.0 / 500);
    Samples.assertDistributedAs(sample(workload, 100, 500), even);
  }

  @Test
  void zipfianKeysAreDistributedAsYcsbsAndStartAtTheFirstKey() {
    Workload workload =
        Workload.builder()
            .records(RECORDS)
            .insertStart(100)
            .requests(new Zipfian(ZipfianGenerator.ZIPFIAN_CONSTANT))
            .build();
    NumberGenerator ycsb = new ZipfianGenerator(100, RECORDS - 1);
    Samples.assertSameDistribution(sample(workload, 100, 900), theirs(ycsb, 100, 900));
  }

  @Test
  void scrambledZipfianKeysAreDistributedAsYcsbs() {
    // YCSB counts one key more than there are and draws it again.
    AcknowledgedCounterGenerator acknowledged = new AcknowledgedCounterGenerator(RECORDS);
    NumberGenerator ycsb = new ScrambledZipfianGenerator(0, RECORDS);
    long[] theirs =
        Samples.count(
            DRAWS,
            0,
            RECORDS,
            () -> {
              long key = ycsb.nextValue().longValue();
              while (key > acknowledged.lastValue()) {
                key = ycsb.nextValue().longValue();
              }
              return key;
            });
    Samples.assertSameDistribution(sample(scrambled(0.99), 0, RECORDS), theirs);
  }

  @Test
  void theMostPopularScrambledKeyIsTheHashOfRankZero() {
    for (double constant : new double[] {0.8, 0.99}) {
      long[] counts = sample(scrambled(constant), 0, RECORDS);
      int popular = (int) (Utils.fnvhash64(0) % (RECORDS + 1));
      assertThat(counts[popular]).isEqualTo(LongStream.of(counts).max().getAsLong());
    }
  }

  @Test
  void scrambledZipfianKeysBeyondTheAcknowledgedInsertsAreDrawnAgain() {
    Workload workload =
        Workload.builder()
            .records(RECORDS)
            .operationCount(10_000)
            .mix(new Mix(0.95, 0, 0.05, 0, 0))
            .requests(new ScrambledZipfian(0.99))
            .build();
    assertThat(workload.expectedNewKeys()).isEqualTo(1000);
    sample(workload, 0, RECORDS);

    for (int i = 0; i < 1000; i++) {
      inserts.acknowledge(inserts.next());
    }
    long[] grown = sample(workload, 0, 2 * RECORDS);
    NumberGenerator ycsb = new ScrambledZipfianGenerator(0, 2 * RECORDS);
    long[] theirs =
        Samples.count(
            DRAWS,
            0,
            2 * RECORDS,
            () -> {
              long key = ycsb.nextValue().longValue();
              while (key >= 2 * RECORDS) {
                key = ycsb.nextValue().longValue();
              }
              return key;
            });
    Samples.assertSameDistribution(grown, theirs);
  }

  @Test
  void scrambledZipfianKeysAreFoundHoweverManyInsertsAreToCome() {
    Workload workload =
        Workload.builder()
            .records(10)
            .operationCount(1L << 50)
            .mix(new Mix(0, 0, 1, 0, 0))
            .requests(new ScrambledZipfian(0.99))
            .build();
    InsertSequence few = new InsertSequence(10);
    KeyChooser chooser = KeyChoosers.of(workload, few, 0);
    assertThat(chooser.next(Samples.random())).isBetween(0L, 9L);
  }

  @Test
  void latestKeysAreDistributedAsYcsbs() {
    NumberGenerator ycsb = new SkewedLatestGenerator(new AcknowledgedCounterGenerator(RECORDS));
    Samples.assertSameDistribution(
        sample(workload(new Latest()), 0, RECORDS), theirs(ycsb, 0, RECORDS));
  }

  @Test
  void latestFollowsTheAcknowledgedInserts() {
    KeyChooser chooser = KeyChoosers.of(workload(new Latest()), inserts, 0);
    RandomStream random = Samples.random();
    double newest = 1 / Zeta.of(RECORDS + 1000, 0.99);
    for (int i = 0; i < 1000; i++) {
      long key = inserts.next();
      for (int draw = 0; draw < 10; draw++) {
        assertThat(chooser.next(random)).isLessThan(key);
      }
      inserts.acknowledge(key);
    }
    long last = inserts.lastAcknowledged();
    long[] counts = Samples.count(DRAWS, 0, RECORDS + 1000, () -> chooser.next(random));
    assertThat((double) counts[(int) last] / DRAWS).isCloseTo(newest, within(0.003));
    assertThat(counts[(int) last - 1]).isGreaterThan(counts[(int) last - 10]);
  }

  @Test
  void latestWorksOnASingleRecord() {
    InsertSequence one = new InsertSequence(1);
    Workload workload = Workload.builder().records(1).requests(new Latest()).build();
    assertThat(KeyChoosers.of(workload, one, 0).next(Samples.random())).isZero();
  }

  @Test
  void hotspotKeysAreDistributedAsYcsbsAndHitTheFractions() {
    long[] counts = sample(workload(new Hotspot(0.2, 0.8)), 0, RECORDS);
    NumberGenerator ycsb = new HotspotIntegerGenerator(0, RECORDS - 1, 0.2, 0.8);
    Samples.assertSameDistribution(counts, theirs(ycsb, 0, RECORDS));

    double hot = LongStream.of(Arrays.copyOf(counts, 200)).sum() / (double) DRAWS;
    assertThat(hot).as("seed %d", Samples.SEED).isCloseTo(0.8, within(0.005));
    double[] expected = new double[RECORDS];
    Arrays.fill(expected, 0, 200, 0.8 / 200);
    Arrays.fill(expected, 200, RECORDS, 0.2 / 800);
    Samples.assertDistributedAs(counts, expected);
  }

  @Test
  void aHotspotWithoutHotOrColdRecordsIsUniform() {
    double[] even = new double[RECORDS];
    Arrays.fill(even, 1.0 / RECORDS);
    for (double fraction : new double[] {0, 0.0001, 1}) {
      Samples.assertDistributedAs(sample(workload(new Hotspot(fraction, 0.8)), 0, RECORDS), even);
    }
  }

  @Test
  void sequentialKeysWalkTheLoadedRecordsInOrder() {
    Workload workload =
        Workload.builder()
            .records(10)
            .insertStart(4)
            .insertCount(3)
            .requests(new Sequential())
            .build();
    KeyChooser chooser = KeyChoosers.of(workload, inserts, 0);
    RandomStream random = Samples.random();
    assertThat(LongStream.range(0, 7).map(i -> chooser.next(random)))
        .containsExactly(4L, 5L, 6L, 4L, 5L, 6L, 4L);
  }

  @Test
  void sequentialStreamsStartApart() {
    RandomStream random = Samples.random();
    assertThat(
            LongStream.range(0, 8)
                .map(
                    stream ->
                        KeyChoosers.of(workload(new Sequential()), inserts, (int) stream)
                            .next(random)))
        .doesNotHaveDuplicates()
        .allMatch(key -> key >= 0 && key < RECORDS);
  }

  @Test
  void exponentialKeysAreDistributedAsYcsbs() {
    Exponential exponential = new Exponential(95, 0.8571428571);
    ExponentialGenerator ycsb = new ExponentialGenerator(95, RECORDS * 0.8571428571);
    long[] theirs =
        Samples.count(
            DRAWS,
            0,
            RECORDS,
            () -> {
              long key = RECORDS - 1 - ycsb.nextValue().longValue();
              while (key < 0) {
                key = RECORDS - 1 - ycsb.nextValue().longValue();
              }
              return key;
            });
    long[] ours = sample(workload(exponential), 0, RECORDS);
    Samples.assertSameDistribution(ours, theirs);

    // The exact probabilities of ages, which are geometric and cut off after the oldest record.
    double gamma = -Math.log(0.05) / (RECORDS * 0.8571428571);
    double mass = 1 - Math.exp(-gamma * RECORDS);
    double[] expected = new double[RECORDS];
    for (int age = 0; age < RECORDS; age++) {
      expected[RECORDS - 1 - age] = (Math.exp(-gamma * age) - Math.exp(-gamma * (age + 1))) / mass;
    }
    Samples.assertDistributedAs(ours, expected);
  }

  private static Workload scrambled(double constant) {
    return workload(new ScrambledZipfian(constant));
  }

  private static Workload workload(RequestDistribution requests) {
    return Workload.builder().records(RECORDS).requests(requests).build();
  }

  private long[] sample(Workload workload, long first, int cells) {
    assertThat(workload.validate()).isEmpty();
    KeyChooser chooser = KeyChoosers.of(workload, inserts, 0);
    RandomStream random = Samples.random();
    return Samples.count(DRAWS, first, cells, () -> chooser.next(random));
  }

  private static long[] theirs(NumberGenerator ycsb, long first, int cells) {
    return Samples.count(DRAWS, first, cells, () -> ycsb.nextValue().longValue());
  }
}
