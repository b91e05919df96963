package org.calando.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.calando.core.policy.Observations.SECOND;
import static org.calando.core.policy.Observations.TABLE;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.calando.core.policy.RationingPolicy.Category;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyLoopTest {
  private static final long SEED = Long.getLong("calando.seed", 20120926L);
  private static final int OBSERVATIONS = 3000;

  static List<Policy<?>> policies() {
    AdaptiveConfig config = AdaptiveConfig.of(0.05);
    return List.of(
        new StaticPolicy(new ReadChoice(1, 0.5)),
        new HarmonyPolicy(AdaptiveConfig.published(0.05)),
        new HarmonyExactPolicy(config),
        new PbsPolicy(config),
        new PbsPolicy(config.withMixed(false).withEase(5, 3 * SECOND, 0.2)),
        new BismarPolicy(config, BismarPrices.WORK),
        new RationingPolicy(config, Category.A, 0),
        new RationingPolicy(AdaptiveConfig.of(0.5), Category.B, 3),
        new RationingPolicy(config, Category.C, 0));
  }

  private static List<Observation> observations() {
    Random random = new Random(SEED);
    List<Observation> observations = new ArrayList<>();
    long at = -5 * SECOND;
    int replicas = 3;
    for (int i = 0; i < OBSERVATIONS; i++) {
      at += random.nextInt(100) == 0 ? random.nextInt(120) * SECOND - 40 * SECOND : SECOND;
      replicas = random.nextInt(200) == 0 ? 1 + random.nextInt(7) : replicas;
      observations.add(Observations.wild(random, at, replicas));
    }
    return observations;
  }

  @ParameterizedTest
  @MethodSource("policies")
  void theSameObservationsGiveTheSameDecisionsAlsoAfterARestart(Policy<?> policy) {
    assertReplays(policy);
  }

  private static <S> List<Decision<S>> decisions(Policy<S> policy, List<Observation> observations) {
    PolicyLoop<S> loop = new PolicyLoop<>(policy, TABLE);
    return observations.stream().map(loop::decide).toList();
  }

  private static <S> void assertReplays(Policy<S> policy) {
    List<Observation> observations = observations();
    List<Decision<S>> first = decisions(policy, observations);
    assertThat(decisions(policy, observations))
        .as("%s, seed %d", policy.name(), SEED)
        .isEqualTo(first);
    PolicyLoop<S> loop = new PolicyLoop<>(policy, TABLE);
    for (int i = 0; i < OBSERVATIONS; i++) {
      if (i % 97 == 96) {
        loop = new PolicyLoop<>(policy, TABLE, loop.stateText());
      }
      Decision<S> again = loop.decide(observations.get(i));
      Decision<S> then = first.get(i);
      assertThat(again.step()).as("%s %d, seed %d", policy.name(), i, SEED).isEqualTo(then.step());
      assertThat(again.stateBefore()).isEqualTo(then.stateBefore());
      assertThat(again.stateAfter()).isEqualTo(then.stateAfter());
    }
  }

  @ParameterizedTest
  @MethodSource("policies")
  void whateverIsObservedTheChoiceCanBeMadeAndHasAReason(Policy<?> policy) {
    for (Decision<?> decision : decisions(policy, observations())) {
      ReadChoice choice = (ReadChoice) decision.step().settings().get(0).value();
      assertThat(choice.replicas()).isLessThanOrEqualTo(decision.observation().replicas() + 1);
      assertThat(decision.step().reasons()).isNotEmpty().allMatch(reason -> !reason.isBlank());
    }
  }

  @Test
  void aDecisionSaysWhetherItChangesAnything() {
    PolicyLoop<AdaptiveState> loop =
        new PolicyLoop<>(
            new PbsPolicy(AdaptiveConfig.of(0.05).withEase(2, 0, 0), Observations::steered), TABLE);
    boolean[] changed = {true, true, false, true};
    double[] rates = {0.001, 0.001, 0.001, 0.2};
    for (int i = 0; i < rates.length; i++) {
      Decision<AdaptiveState> decision =
          loop.decide(Observations.saying(rates[i], i * SECOND, 3, 1));
      assertThat(decision.changed()).as("decision %d", i).isEqualTo(changed[i]);
      assertThat(decision.stateAfter()).isEqualTo(loop.stateText());
    }
  }

  @Test
  void itDecidesForItsOwnTargetOnly() {
    PolicyLoop<?> loop = new PolicyLoop<>(new StaticPolicy(ReadChoice.of(1)), "shop.other");
    assertThatThrownBy(() -> loop.decide(Observations.fresh(0, 3, 1, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("shop.carts");
  }

  @Test
  void textThatIsNoStateIsRefused() {
    PbsPolicy policy = new PbsPolicy(AdaptiveConfig.of(0.05));
    String good = policy.write(policy.initial());
    assertThat(policy.read(good)).isEqualTo(policy.initial());
    String earlier = good.replace("adaptive/2", "adaptive/1").replaceAll(" shadow=.*", "");
    assertThat(policy.read(earlier)).isEqualTo(policy.initial());
    for (String bad :
        new String[] {
          "",
          "static/1",
          "adaptive/3" + good.substring(10),
          good.replace(" shadow=1.0 shadow-excess=0.0", ""),
          good.replace("shadow=1.0", "shadow=0"),
          good + " more=1",
          good + " calm=0",
          good.replace(" late=0", ""),
          good.replace(" late=0", " late=-1"),
          good.replace("factor=1.0", "factor=NaN"),
          good.replace("factor=1.0", "factor=0"),
          good.replace("at=0", "at=now"),
          good.replace("above=0.0", "above=1.0"),
        }) {
      assertThatThrownBy(() -> policy.read(bad))
          .as("'%s'", bad)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new StaticPolicy(ReadChoice.of(1)).read(good))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
