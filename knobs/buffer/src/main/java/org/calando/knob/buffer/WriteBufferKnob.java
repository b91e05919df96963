package org.calando.knob.buffer;

import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.policy.Controller;
import org.calando.core.store.SessionRequest;
import org.calando.knob.Axis;
import org.calando.knob.Configuration;
import org.calando.knob.DrivenKnob;
import org.calando.knob.KnobRun;
import org.calando.knob.Point;
import org.calando.knob.RunPart;
import org.calando.knob.StudyChecks;
import org.calando.report.column.Column;
import org.calando.report.column.RunColumns;

/** How clients send writes, as what studies vary. */
public final class WriteBufferKnob implements DrivenKnob {
  private static final int RANK = 40;

  /** How writes are sent, or policies that choose it; without one, each by itself. */
  static final Axis<BufferChoice> AXIS =
      Axis.of(
          "write-buffer",
          BufferSchema.TYPE,
          BufferChoice::label,
          "HBase and the simulator: how clients send writes: each by itself (strong), many"
              + " together, which are acknowledged before the store has them, or as a policy"
              + " chooses for a promised freshness; see docs/hbase.md. Without it strong.",
          "[strong, {deferred: 12MB}, {deferred: {bytes: 12MB, delay: 100ms}}, {fresh: 500ms}]");

  /** For the service. */
  public WriteBufferKnob() {}

  @Override
  public Axis<?> axis() {
    return AXIS;
  }

  @Override
  public int rank() {
    return RANK;
  }

  @Override
  public Column column() {
    return RunColumns.WRITE_BUFFER;
  }

  @Override
  public void check(StudyChecks study) {
    BufferChecks.check(study);
  }

  @Override
  public boolean isOfWrites() {
    return true;
  }

  @Override
  public OptionalLong promisedNanos(Point point) {
    return point
        .find(AXIS)
        .flatMap(BufferChoice::promise)
        .map(promise -> OptionalLong.of(promise.freshNanos()))
        .orElse(OptionalLong.empty());
  }

  @Override
  public SessionRequest session(SessionRequest request, Point point) {
    return request.writes(point.get(AXIS).atFirst());
  }

  @Override
  public Optional<Controller<?>> controller(Configuration configuration) {
    return configuration.point().find(AXIS).flatMap(BufferChoice::policy);
  }

  @Override
  public Optional<RunPart> begin(KnobRun run) {
    return BufferDriver.begin(run, run.point().get(AXIS));
  }
}
