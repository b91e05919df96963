package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.FailedWorkException;
import org.calando.knob.RunPart;
import org.calando.report.column.RunRecord;
import org.junit.jupiter.api.Test;

class RunPartsTest {
  private final List<String> calls = new ArrayList<>();

  @Test
  void aPartEnclosesThoseThatBeganAfterIt() throws Exception {
    RunRecord found = new RunRecord();
    try (RunParts parts = new RunParts()) {
      parts.add(new Part("meter"));
      parts.closes(() -> calls.add("scheduler closed"));
      parts.add(null);
      parts.add(new Part("levels"));
      parts.measurementBegan(1);
      parts.measurementEnded(2);
      parts.end();
      parts.record(found);
    }
    assertThat(calls)
        .containsExactly(
            "meter began",
            "levels began",
            "levels ended",
            "meter ended",
            "levels closed",
            "scheduler closed",
            "meter closed");
    assertThat(found.notes()).containsExactly("meter failed", "meter", "levels");
  }

  @Test
  void allIsClosedWhateverOfItFails() {
    RunParts parts = new RunParts();
    parts.add(new Part("meter"));
    parts.closes(
        () -> {
          throw new FailedWorkException("the lease is lost", "lease", "");
        });
    parts.closes(
        () -> {
          throw new IllegalStateException("the session is lost");
        });
    assertThatThrownBy(parts::close)
        .hasMessage("the session is lost")
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("the lease is lost"));
    assertThat(calls).containsExactly("meter closed");
    parts.close();
    assertThat(calls).hasSize(1);
  }

  @Test
  void aPartIsFoundByItsKind() {
    RunParts parts = new RunParts();
    assertThat(parts.find(Part.class)).isEmpty();
    Part part = new Part("levels");
    parts.add(part);
    assertThat(parts.find(Part.class)).containsSame(part);
  }

  private final class Part implements RunPart {
    private final String name;

    Part(String name) {
      this.name = name;
    }

    @Override
    public void measurementBegan(long nanos) {
      calls.add(name + " began");
    }

    @Override
    public void measurementEnded(long nanos) {
      calls.add(name + " ended");
    }

    @Override
    public void record(RunRecord found) {
      found.note(List.of(name)).fail(name + " failed");
    }

    @Override
    public void close() {
      calls.add(name + " closed");
    }
  }
}
