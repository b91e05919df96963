package org.calando.knob.joint;

import java.util.Optional;
import java.util.function.Consumer;
import org.calando.control.DeferringSession;
import org.calando.control.HeldBuffer;
import org.calando.control.Lease;
import org.calando.core.observe.RecentWrites;
import org.calando.core.policy.Controller;
import org.calando.core.policy.buffer.BufferKnob;
import org.calando.core.policy.buffer.BufferObservation;
import org.calando.core.policy.buffer.FreshPromise;
import org.calando.core.policy.joint.DeferringJoint;
import org.calando.core.store.BufferedWrites;
import org.calando.knob.KnobRun;

/**
 * What becomes of a run's writes, and how far they are deferred, as a joint controller decides; its
 * session alone defers them. Thread safe.
 *
 * @param controller decides
 * @param recent notes writes
 * @param client defers them
 */
record JointBuffer(DeferringJoint controller, RecentWrites recent, HeldBuffer.Client client) {
  /** Over how long writes are looked at: as their policy expects it. */
  private static final long LOOKED_NANOS = 2_000_000_000L;

  /**
   * Begins to note writes, which are strong.
   *
   * @return empty where the controller does not defer
   */
  static Optional<JointBuffer> begin(KnobRun run, Controller<?> controller, long nowNanos) {
    if (!(controller instanceof DeferringJoint deferring)) {
      return Optional.empty();
    }
    BufferedWrites session = run.cluster().find(BufferedWrites.class).orElseThrow();
    Lease lease = Lease.ofProcess("run " + run.id());
    run.ends().accept(lease::close);
    HeldBuffer.Client client =
        new DeferringSession(
            session,
            new BufferKnob(session, run.workload().table(), true, false),
            FreshPromise.ANY,
            lease);
    long period = run.configuration().monitor().periodNanos();
    int slices = (int) Math.max(1, (LOOKED_NANOS + period - 1) / period);
    RecentWrites recent = new RecentWrites(slices, nowNanos);
    client.watch(recent);
    return Optional.of(new JointBuffer(deferring, recent, client));
  }

  BufferObservation look(long nowNanos, String table) {
    return recent.observe(nowNanos, table, client.atRisk());
  }

  /** Sets what is decided; writes are strong without decisions. */
  HeldBuffer held(Consumer<String> notes) {
    return new HeldBuffer(
        decision -> controller.notToBeHad((DeferringJoint.State) decision.step().state()),
        client,
        decided -> decided.notToBeHad().ifPresent(notes));
  }
}
