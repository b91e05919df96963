package org.calando.concerto.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.calando.core.FailedWorkException;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedis.NodeStatus;
import org.calando.local.redis.LocalRedisConfig;
import org.junit.jupiter.api.Test;

class RedisHandoverIT {
  @Test
  void allFollowTheNodeThatIsHandedTheMastership() {
    try (LocalRedis cluster = LocalRedis.start(LocalRedisConfig.builder().build())) {
      RedisHandover.to(cluster, 3);
      assertThat(cluster.status())
          .extracting(NodeStatus::role)
          .containsExactly("slave", "slave", "master");
      RedisHandover.to(cluster, 2);
      RedisHandover.to(cluster, 2);
      assertThat(cluster.status())
          .extracting(NodeStatus::role)
          .containsExactly("slave", "master", "slave");
      cluster.kill(1);
      assertThatThrownBy(() -> RedisHandover.to(cluster, 1))
          .isInstanceOf(FailedWorkException.class);
    }
  }

  @Test
  void ofTwoMastersNoneIsMadeToForget() throws Exception {
    try (LocalRedis cluster = LocalRedis.start(LocalRedisConfig.builder().build())) {
      try (Resp second = new Resp(cluster.nodes().get(1).port(), 2000)) {
        assertThat(second.ask("REPLICAOF", "NO", "ONE")).containsExactly("OK");
      }
      assertThatThrownBy(() -> RedisHandover.to(cluster, 2))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("2 masters");
      assertThat(cluster.status())
          .extracting(NodeStatus::role)
          .containsExactly("master", "master", "slave");
    }
  }
}
