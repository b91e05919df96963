package org.calando.control;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.LevelPicker;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Policy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.ReadLevels;
import org.calando.core.policy.SafeLevel;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;

/** A table of three replicas, an observer of it that answers when told, and a policy to steer. */
final class Table implements Observer {
  static final String NAME = "shop.carts";
  static final ReadLevels LEVELS = ReadLevels.plain(3);
  static final SafeLevel SAFE =
      SafeLevel.weakest(ReplicaPlacement.single(3), ConsistencyLevel.ONE, false);
  static final ReadChoice SAFE_CHOICE = ReadChoice.of(3);

  final LevelPicker picker = new LevelPicker(LEVELS, SAFE);
  final List<Long> asked = new ArrayList<>();
  final Deque<CompletableFuture<Observation>> open = new ArrayDeque<>();

  @Override
  public CompletionStage<Observation> observe(long nowNanos) {
    asked.add(nowNanos);
    CompletableFuture<Observation> answer = new CompletableFuture<>();
    open.add(answer);
    return answer;
  }

  /** An observation from which {@link Steered} decides on so many replicas. */
  static Observation saying(int replicas, long atNanos) {
    return new Observation(
        atNanos,
        NAME,
        3,
        1,
        replicas,
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  /** Decides on as many replicas as live, fails without any, and counts its decisions. */
  record Steered() implements Policy<Integer> {
    @Override
    public String name() {
      return "steered";
    }

    @Override
    public Integer initial() {
      return 0;
    }

    @Override
    public Step<Integer> decide(Integer state, Observation o) {
      if (o.liveReplicas() == 0) {
        throw new IllegalStateException("no replica");
      }
      ReadChoice choice = ReadChoice.of(o.liveReplicas());
      return new Step<>(
          state + 1,
          List.of(new Setting<>(KnobId.READ_LEVEL, o.target(), choice)),
          List.of("decision " + (state + 1)));
    }

    @Override
    public String write(Integer state) {
      return state.toString();
    }

    @Override
    public Integer read(String text) {
      return Integer.valueOf(text);
    }
  }
}
