package org.calando.knob.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.calando.control.DecisionLog;
import org.calando.control.ManualScheduler;
import org.calando.core.policy.buffer.BufferRange;
import org.calando.core.store.BufferedWrites;
import org.calando.core.store.Capable;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.WriteBuffering;
import org.calando.core.store.WriteListener;
import org.calando.core.workload.Workload;
import org.calando.knob.KnobRun;
import org.calando.knob.Point;
import org.calando.knob.RunPart;
import org.calando.report.column.RunRecord;
import org.calando.schema.Documents;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is driven is a session's, as those of real stores offer it. */
class BufferDriverTest {
  private static final int WRITES_EACH_PERIOD = 500;
  private static final long TOOK_NANOS = 2_000_000;

  private final ManualScheduler scheduler = new ManualScheduler();
  private final Writes session = new Writes();
  private final Deque<Runnable> ends = new ArrayDeque<>();
  private final List<String> schedulers = new ArrayList<>();

  @TempDir Path folder;

  private Optional<RunPart> begin(String item, DecisionLog log) {
    BufferChoice choice =
        Documents.read(BufferSchema.TYPE, item, "buffer", Path.of(""), List.of()).value();
    KnobRun run =
        new KnobRun(
            "r1",
            BufferSchemaTest.configuration(Point.NONE.with(WriteBufferKnob.AXIS, choice)),
            7,
            Workload.builder().table("orders").build(),
            session,
            () -> log,
            (name, header) -> row -> {},
            name -> {
              schedulers.add(name);
              return scheduler;
            },
            ends::push,
            () -> {});
    return new WriteBufferKnob().begin(run);
  }

  private void write(int periods) {
    for (int i = 0; i < periods; i++) {
      WriteListener listener = session.listener;
      for (int write = 0; write < WRITES_EACH_PERIOD && listener != null; write++) {
        listener.called(1000);
        listener.answered(1, TOOK_NANOS);
        listener.visible(TOOK_NANOS);
      }
      scheduler.advance(BufferRange.PERIOD_NANOS);
    }
  }

  @Test
  void aPolicyDefersAsessionsWritesUntilItIsClosed() throws Exception {
    Path decisions = folder.resolve("decisions.csv");
    RunRecord found = new RunRecord();
    try (DecisionLog log = DecisionLog.open(decisions);
        RunPart part = begin("{fresh: {promise: 2s, read-your-writes: true}}", log).orElseThrow()) {
      assertThat(session.buffering()).isEqualTo(WriteBuffering.STRONG);
      part.measurementBegan(scheduler.now());
      write(40);
      part.measurementEnded(scheduler.now());
      assertThat(session.buffering().isStrong()).isFalse();
      assertThat(session.buffering().shared()).isTrue();
      assertThat(session.buffering().readYourWrites()).isTrue();
      part.record(found);
    }
    assertThat(session.buffering()).isEqualTo(WriteBuffering.STRONG);
    assertThat(session.listener).isNull();
    assertThat(found.notes().get(0)).matches("write buffer set [1-9]\\d* times by 40 decisions");
    assertThat(Files.readAllLines(decisions)).hasSize(41).last().asString().contains("orders");
    assertThat(schedulers).containsExactly("calando-write-buffer");
    ends.forEach(Runnable::run);
    assertThat(ends).hasSize(1);
  }

  /** The session was opened so. */
  @Test
  void writesThatAreSentAlikeAreLeftToTheSession() {
    DecisionLog none = DecisionLog.open(folder.resolve("none.csv"));
    assertThat(begin("{deferred: 12MB}", none)).isEmpty();
    assertThat(begin("strong", none)).isEmpty();
    none.close();
    assertThat(schedulers).isEmpty();
    assertThat(session.changes).isZero();
  }

  private static final class Writes implements BufferedWrites, Capable {
    private WriteBuffering buffering = WriteBuffering.STRONG;
    private @Nullable WriteListener listener;
    private int changes;

    @Override
    public WriteBuffering buffering() {
      return buffering;
    }

    @Override
    public void buffering(WriteBuffering to) {
      buffering = to;
      changes++;
    }

    @Override
    public void mostAtRisk(long writes) {}

    @Override
    public void watch(WriteListener to) {
      listener = to;
    }

    @Override
    public void unwatch() {
      listener = null;
    }

    @Override
    public long atRisk() {
      return 0;
    }

    @Override
    public void beginWindow() {}

    @Override
    public DeferralFigures figures() {
      throw new UnsupportedOperationException();
    }
  }
}
