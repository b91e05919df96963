package org.calando.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.calando.core.policy.Observation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Another session writes what this one only reads. */
class UnseenWritesIT {
  @RegisterExtension static final LiveCluster CLUSTER = new LiveCluster();

  private static final TableName TABLE = TableName.parse("app.unseen");
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final int KEYS = 5;

  @Test
  void writesOfOthersCountAndTheSessionsOwnReadsAreSampled() {
    AtomicLong written = new AtomicLong();
    AtomicReference<Observation> seen = new AtomicReference<>();
    try (CqlSession writer = CLUSTER.connect("cassandra", "cassandra");
        AdaptiveSession reader =
            AdaptiveSession.wrap(CLUSTER.connect("cassandra", "cassandra"))
                .tolerate("app.unseen", 0.01)
                .monitorDeadline(Duration.ofSeconds(5))
                .listener((table, share, decision) -> seen.set(decision.observation()))
                .build()) {
      PreparedStatement write = writer.prepare("INSERT INTO app.unseen (id, v) VALUES (?, ?)");
      PreparedStatement read = reader.prepare("SELECT v FROM app.unseen WHERE id = ?");
      // Keys that nobody reads: the reader cannot know.
      Observation known =
          Awaitility.await()
              .atMost(PATIENCE)
              .pollInterval(Duration.ofMillis(20))
              .until(
                  () -> {
                    round(writer, write, reader, read, 1000 + written.getAndIncrement());
                    return seen.get();
                  },
                  o ->
                      o != null
                          && o.rates().filter(rates -> rates.writesPerSecond() > 0).isPresent()
                          && o.popularity().filter(keys -> keys.unseenWrites() > 0.9).isPresent()
                          && o.shadow().filter(shadow -> shadow.reads() >= 10).isPresent());
      assertThat(known.shadow().orElseThrow().stale()).isZero();
      assertThat(reader.inUse(TABLE).orElseThrow().tolerated()).isEqualTo(0.01);
      assertThat(reader.execute(read.bind(1000L)).one()).isNotNull();
    }
  }

  private static void round(
      CqlSession writer,
      PreparedStatement write,
      AdaptiveSession reader,
      PreparedStatement read,
      long key) {
    writer.execute(write.bind(key, 1L));
    for (long id = 0; id < KEYS; id++) {
      reader.execute(read.bind(id));
    }
  }
}
