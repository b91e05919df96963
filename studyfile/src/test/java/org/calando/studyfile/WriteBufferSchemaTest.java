package org.calando.studyfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.policy.buffer.FreshPromise;
import org.calando.core.store.WriteBuffering;
import org.junit.jupiter.api.Test;

class WriteBufferSchemaTest {
  private static final long MS = 1_000_000;

  private static StudySpec parse(String text) {
    return StudyFile.parse(text, "study.yaml", Path.of("."), List.of());
  }

  private static StudySpec study(String items) {
    return parse(
        """
        study: test
        store: {engine: hbase, local: {nodes: 3}}
        workload: {preset: gr-write-heavy, operations: 100}
        matrix: {consistency: [ONE], threads: [1], write-buffer: [%s]}
        """
            .formatted(items));
  }

  private static BufferChoice one(String item) {
    return study(item).matrix().get(0).of(Axes.WRITE_BUFFER).get(0);
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
  }

  @Test
  void whatIsFixedNeedsNoPolicy() {
    BufferChoice fixed = one("{deferred: {bytes: 64KB, delay: 100ms, shared: true}}");
    assertThat(fixed.policy()).isEmpty();
    assertThat(fixed.atFirst())
        .isEqualTo(new WriteBuffering(new BufferSetting(65_536, 100 * MS), true, false));
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

  @Test
  void whatAstudyWritesIsReadAgain() {
    StudySpec spec =
        study(
            "strong, {deferred: 12MB}, {deferred: {bytes: 1MB, delay: 50ms, shared: true}},"
                + " {fresh: 500ms}, {fresh: {promise: 2s, at-risk: 7, read-your-writes: true}}");
    assertThat(parse(spec.canonicalText()).matrix()).isEqualTo(spec.matrix());
    assertThat(spec.matrix().get(0).of(Axes.WRITE_BUFFER)).hasSize(5);
  }
}
