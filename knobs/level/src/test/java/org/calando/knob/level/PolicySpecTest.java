package org.calando.knob.level;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.RationingPolicy;
import org.calando.core.policy.SafeLevel;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.schema.Bound;
import org.calando.schema.CanonicalYaml;
import org.calando.schema.Documents;
import org.junit.jupiter.api.Test;

class PolicySpecTest {
  private static Bound<LevelPair> bound(String levels) {
    return Documents.read(LevelSchema.LEVELS, levels, "levels", Path.of(""), List.of());
  }

  private static LevelPair only(String levels) {
    return bound(levels).value();
  }

  @Test
  void aPolicyAloneReadsAndWritesAtOne() {
    LevelPair pair = only("{harmony: {tolerate: 5%}}");
    assertThat(pair.fixedRead()).isEmpty();
    assertThat(pair.write()).isEqualTo(ConsistencyLevel.ONE);
    assertThat(pair.label()).isEqualTo("harmony(5%)/ONE");
    assertThat(only("{read: {harmony: {tolerate: 0.05}}, write: ONE}")).isEqualTo(pair);
  }

  @Test
  void harmonyIsAsPublishedUnlessAskedOtherwise() {
    PolicySpec harmony = only("{harmony: {tolerate: 5%}}").policy().orElseThrow();
    assertThat(harmony.mixed()).isFalse();
    assertThat(harmony.margin()).isZero();
    PolicySpec pbs = only("{pbs: {tolerate: 5%}}").policy().orElseThrow();
    assertThat(pbs.mixed()).isTrue();
    assertThat(pbs.margin()).isEqualTo(0.1);
  }

  @Test
  void resultsTellPoliciesApartByWhatIsNotAsUsual() {
    assertThat(label("{pbs: {tolerate: 2.5%}}")).isEqualTo("pbs(2.5%)");
    assertThat(label("{pbs: {tolerate: 5%, mixed: false}}")).isEqualTo("pbs(5%, whole)");
    assertThat(label("{harmony: {tolerate: 5%, mixed: true, margin: 0.2}}"))
        .isEqualTo("harmony(5%, mixed, margin 20%)");
    assertThat(label("{harmony: {tolerate: 20%, propagation: 0.13ms}}"))
        .isEqualTo("harmony(20%, Tp 130us)");
    assertThat(label("{bismar: {}}")).isEqualTo("bismar(100%)");
    assertThat(label("{bismar: {tolerate: 20%, prices: {name: cloud, instance-per-hour: 0.34}}}"))
        .isEqualTo("bismar(20%, cloud)");
    assertThat(label("{rationing: {category: A}}")).isEqualTo("rationing(A)");
    assertThat(label("{rationing: {category: B, penalty: 10, tolerate: 5%}}"))
        .isEqualTo("rationing(B, penalty 10, 5%)");
  }

  private static String label(String policy) {
    return only(policy).read().label();
  }

  @Test
  void whatIsReadMakesThePolicy() {
    SafeLevel safe = SafeLevel.weakest(ReplicaPlacement.single(3), ConsistencyLevel.ONE, false);
    AdaptivePolicy policy =
        only("{rationing: {category: B, penalty: 10}}").policy().orElseThrow().policy(safe, false);
    assertThat(policy).isInstanceOf(RationingPolicy.class);
    assertThat(policy.config().safeReplicas()).isEqualTo(3);
    assertThat(policy.config().tolerated()).isEqualTo(1);
    assertThat(only("{pbs: {tolerate: 5%}}").policy().orElseThrow().policy(safe, true).config())
        .satisfies(
            config -> {
              assertThat(config.tolerated()).isEqualTo(0.05);
              assertThat(config.local()).isTrue();
              assertThat(config.mixed()).isTrue();
            });
  }

  @Test
  void theCanonicalFormSaysAllAndReadsBackAsTheSame() {
    for (String levels :
        List.of(
            "{harmony: {tolerate: 5%, propagation: 2ms}}",
            "{read: {pbs: {tolerate: 1%, mixed: false}}, write: QUORUM}",
            "{rationing: {category: B, penalty: 3}}",
            "{rationing: {category: C}}",
            "{bismar: {prices: {name: p, joules-per-work: 0.1, energy-per-kwh: 0.3}}}",
            "ONE",
            "{read: master, write: WAIT 1}",
            "{read: ONE, write: ALL}")) {
      Bound<LevelPair> read = bound(levels);
      Object plain = read.plain();
      Bound<LevelPair> again =
          bound(plain instanceof Map<?, ?> map ? CanonicalYaml.write(map) : plain.toString());
      assertThat(again.value()).isEqualTo(read.value());
      assertThat(again.plain()).isEqualTo(read.plain());
    }
  }
}
