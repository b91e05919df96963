package org.calando.knob.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.observe.Promise;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.policy.buffer.FreshPromise;
import org.calando.core.store.SessionRequest;
import org.calando.core.store.WriteBuffering;
import org.calando.engine.Replicas;
import org.calando.engine.StoreSpec;
import org.calando.knob.Configuration;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.ManagedClocks;
import org.calando.knob.MonitorSpec;
import org.calando.knob.Point;
import org.calando.schema.Documents;
import org.junit.jupiter.api.Test;

class BufferSchemaTest {
  private static final long MS = 1_000_000;

  private final WriteBufferKnob knob = new WriteBufferKnob();

  private static BufferChoice one(String item) {
    return Documents.read(BufferSchema.TYPE, item, "buffer", Path.of(""), List.of()).value();
  }

  private static Point point(String item) {
    return Point.NONE.with(WriteBufferKnob.AXIS, one(item));
  }

  /** On any store. */
  static Configuration configuration(Point point) {
    StoreSpec store =
        new StoreSpec(
            "hbase",
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Replicas.of(1),
            "calando",
            Optional.empty(),
            Optional.empty(),
            1);
    NodeProfile profile = Profiles.byName(Profiles.names().iterator().next()).orElseThrow();
    MonitorSpec monitor = new MonitorSpec(false, 1, 1, 1);
    return new Configuration(
        point, store, profile, ManagedClocks.SIMULATED, monitor, 1, Promise.NONE);
  }

  @Test
  void itIsFoundAsAservice() {
    assertThat(DrivenKnobs.all()).hasAtLeastOneElementOfType(WriteBufferKnob.class);
    assertThat(DrivenKnobs.of(point("strong"))).hasSize(1);
    assertThat(DrivenKnobs.of(Point.NONE)).isEmpty();
  }

  @Test
  void aPromiseIsKeptByApolicyThatBeginsStrong() {
    BufferChoice bare = one("{fresh: 500ms}");
    assertThat(bare.promise()).contains(new FreshPromise(500 * MS, FreshPromise.ANY));
    assertThat(bare.policy().orElseThrow().name()).isEqualTo("fresh 500 ms");
    assertThat(bare.atFirst()).isEqualTo(WriteBuffering.STRONG);
    assertThat(bare.shared()).isTrue();
    assertThat(one("{fresh: {promise: 500ms}}")).isEqualTo(bare);
    assertThat(one("{fresh: {promise: 2s, at-risk: 10000}}").promise())
        .contains(new FreshPromise(2000 * MS, 10_000));
    assertThat(DrivenKnobs.promisedNanos(point("{fresh: 500ms}"))).hasValue(500 * MS);
    assertThat(knob.controller(configuration(point("{fresh: 500ms}")))).isPresent();
  }

  @Test
  void whatIsFixedNeedsNoPolicy() {
    String item = "{deferred: {bytes: 64KB, delay: 100ms, shared: true}}";
    BufferChoice fixed = one(item);
    WriteBuffering sent = new WriteBuffering(new BufferSetting(65_536, 100 * MS), true, false);
    assertThat(fixed.policy()).isEmpty();
    assertThat(fixed.atFirst()).isEqualTo(sent);
    assertThat(knob.session(SessionRequest.of(1), point(item)).writes()).isEqualTo(sent);
    assertThat(knob.controller(configuration(point(item)))).isEmpty();
    assertThat(DrivenKnobs.promisedNanos(point(item))).isEmpty();
    assertThat(one("strong")).isEqualTo(BufferChoice.STRONG);
  }

  @Test
  void labelsTellThemApart() {
    assertThat(one("{fresh: 500ms}").label()).isEqualTo("fresh 500ms");
    assertThat(one("{fresh: {promise: 2s, at-risk: 10000, read-your-writes: true}}").label())
        .isEqualTo("fresh 2s at-risk 10000 read-your-writes");
    assertThat(one("{deferred: 12MB}").label()).isEqualTo("deferred 12MB");
    assertThat(one("strong").label()).isEqualTo("strong");
  }
}
