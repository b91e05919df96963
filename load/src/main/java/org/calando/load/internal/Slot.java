package org.calando.load.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.workload.DualRead;
import org.calando.core.workload.Operation;
import org.calando.core.workload.OperationKind;
import org.calando.core.workload.StalenessOracle;
import org.calando.load.Levels;
import org.calando.load.Measure;
import org.calando.load.Phase;
import org.jspecify.annotations.Nullable;

/*
 * A slot is owned by one thread at a time, and ownership moves with its state:
 *
 *   IDLE -> OWNED            by the source
 *   OWNED -> ISSUING         by the owner, before it calls the session
 *   ISSUING -> WAITING       by the issuer once the session has returned; nobody owns the slot
 *   ISSUING -> ANSWERED      by a completion that came first; the issuer stays the owner and goes on
 *                            in its loop, so that sessions that answer at once never recurse
 *   WAITING -> ANSWERED      by the completion, whose thread becomes the owner
 *   OWNED -> PAUSED -> OWNED by a back-off and its timer
 *   ISSUING, WAITING, PAUSED -> ABANDONED   by the end of the drain; final
 *
 * Every move out of a state that two parties may leave is a compare-and-set, so exactly one gets the
 * slot; a completion that finds it ABANDONED is ignored. The moves also publish the plain fields
 * from one owner to the next.
 */
/** One operation under way at a time, and what it needs. Nothing is allocated per operation. */
final class Slot implements Completion, Runnable {
  private static final int IDLE = 0;
  private static final int OWNED = 1;
  private static final int ISSUING = 2;
  private static final int WAITING = 3;
  private static final int ANSWERED = 4;
  private static final int PAUSED = 5;
  private static final int ABANDONED = 6;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Slot.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What request of the operation is under way. */
  private enum Step {
    READ,
    SECOND_READ,
    SCAN,
    WRITE
  }

  private final int index;
  private final Run run;
  private final Session session;
  private final StalenessOracle oracle;
  private final @Nullable DualRead dualRead;
  private final Operation operation = new Operation();
  private final BackOff backOff = new BackOff();

  private volatile int state = IDLE;

  // The operation.
  private Phase phase = Phase.WARMUP;
  private int client;
  private long startNanos;
  private Levels levels;
  private boolean failed;

  // Its request under way.
  private Step step = Step.READ;
  private long requestNanos;
  private long version;

  // The answer.
  private long answerNanos;
  private long answerVersion;
  private Outcome answer = Outcome.OK;

  private long lastMeasuredEndNanos = Long.MIN_VALUE;

  Slot(int index, Run run) {
    this.index = index;
    this.run = run;
    this.session = run.session();
    this.oracle = run.oracle();
    this.dualRead = run.spec().dualRead();
    this.levels = run.spec().levels().get();
  }

  int index() {
    return index;
  }

  /** The holder that the source fills before {@link #begin}. */
  Operation operation() {
    return operation;
  }

  /** Makes the filled operation the next one; the slot is the caller's. */
  void begin(Phase operationPhase, int operationClient, long start) {
    phase = operationPhase;
    client = operationClient;
    startNanos = start;
    failed = false;
    levels = run.spec().levels().get();
    step =
        switch (operation.kind) {
          case READ, READ_MODIFY_WRITE -> Step.READ;
          case SCAN -> Step.SCAN;
          case UPDATE, INSERT -> Step.WRITE;
        };
  }

  /** Performs operations until one is to be waited for or there is none. */
  void drive() {
    try {
      do {
        prepare();
        STATE.setRelease(this, ISSUING);
        issue();
        if (STATE.compareAndSet(this, ISSUING, WAITING)) {
          if (run.isExpired()) {
            abandon();
          }
          return;
        }
      } while (state == ANSWERED && answered());
    } catch (Throwable e) {
      run.fail(e);
      discard();
    }
  }

  @Override
  public void complete(int slot, Outcome outcome, long readVersion) {
    int seen = state;
    if (seen != ISSUING && seen != WAITING) {
      return;
    }
    answerNanos = run.clock().nanos();
    answer = outcome;
    answerVersion = readVersion;
    if (STATE.compareAndSet(this, ISSUING, ANSWERED)
        || !STATE.compareAndSet(this, WAITING, ANSWERED)) {
      return;
    }
    goOn();
  }

  /** Has the slot ask for its first operation on the scheduler's thread. */
  void startPaused() {
    state = PAUSED;
    run.scheduler().at(run.startNanos(), this);
  }

  /** The end of a pause. */
  @Override
  public void run() {
    if (STATE.compareAndSet(this, PAUSED, OWNED)) {
      try {
        if (!run.source().next(this)) {
          return;
        }
      } catch (Throwable e) {
        run.fail(e);
        discard();
        return;
      }
      drive();
    }
  }

  /** Gives the slot back to the source. */
  void rest() {
    STATE.setRelease(this, IDLE);
  }

  /** Whether something is under way or paused. */
  boolean isBusy() {
    return state != IDLE && state != ABANDONED;
  }

  /** End of the last measured operation; Long.MIN_VALUE if there was none. */
  long lastMeasuredEndNanos() {
    return lastMeasuredEndNanos;
  }

  /** Gives up what is under way, unless someone owns the slot. */
  void abandon() {
    int seen = state;
    while (seen == ISSUING || seen == WAITING || seen == PAUSED) {
      if (STATE.compareAndSet(this, seen, ABANDONED)) {
        if (seen != PAUSED) {
          unanswered();
        }
        run.release();
        return;
      }
      seen = state;
    }
  }

  private void goOn() {
    try {
      if (!answered()) {
        return;
      }
    } catch (Throwable e) {
      run.fail(e);
      discard();
      return;
    }
    drive();
  }

  private void discard() {
    if ((int) STATE.getAndSet(this, ABANDONED) != ABANDONED) {
      run.release();
    }
  }

  private void prepare() {
    requestNanos = run.clock().nanos();
    switch (step) {
      case READ ->
          oracle.beginRead(index, client, operation.key, requestNanos, phase == Phase.MEASURED);
      case WRITE -> version = oracle.beginWrite(index, client, operation.key);
      case SECOND_READ, SCAN -> {}
    }
  }

  private void issue() {
    long key = operation.key;
    switch (step) {
      case READ -> session.read(index, key, operation.field, levels.read(), this);
      case SECOND_READ -> session.read(index, key, operation.field, ConsistencyLevel.ALL, this);
      case SCAN ->
          session.scan(index, key, operation.scanLength, operation.field, levels.read(), this);
      case WRITE ->
          session.write(
              index,
              key,
              operation.writeField,
              operation.valueBytes,
              version,
              levels.write(),
              this);
    }
  }

  /** Takes the answer; true if a further request is to be issued. */
  private boolean answered() {
    return switch (step) {
      case READ -> readAnswered();
      case SECOND_READ -> secondReadAnswered();
      case SCAN -> {
        end(answer, answerNanos);
        yield next();
      }
      case WRITE -> writeAnswered();
    };
  }

  private boolean readAnswered() {
    if (oracle.endRead(index, answer, answerVersion) == StalenessOracle.STALE) {
      run.recorder().stale(phase);
    }
    if (answer == Outcome.NOT_FOUND) {
      run.recorder().notFound(phase);
    }
    if (operation.kind == OperationKind.READ_MODIFY_WRITE && !answer.isError()) {
      run.recorder().success(phase, Measure.RMW_READ, answerNanos - startNanos);
      step = Step.WRITE;
      return true;
    }
    end(answer, answerNanos);
    if (dualRead != null
        && operation.kind == OperationKind.READ
        && dualRead.first(index, answer, answerVersion)) {
      step = Step.SECOND_READ;
      return true;
    }
    return next();
  }

  private boolean secondReadAnswered() {
    if (dualRead != null) {
      dualRead.second(index, answer, answerVersion, phase == Phase.MEASURED);
    }
    if (!answer.isError()) {
      run.recorder().success(phase, Measure.DUAL_READ, answerNanos - requestNanos);
    }
    return next();
  }

  private boolean writeAnswered() {
    oracle.endWrite(index, answer, answerNanos);
    if (operation.kind == OperationKind.INSERT) {
      run.spec().inserts().acknowledge(operation.key);
    }
    if (operation.kind == OperationKind.READ_MODIFY_WRITE && !answer.isError()) {
      run.recorder().success(phase, Measure.RMW_WRITE, answerNanos - requestNanos);
    }
    end(answer, answerNanos);
    return next();
  }

  private void end(Outcome outcome, long nowNanos) {
    failed = outcome.isError();
    long latencyNanos = nowNanos - startNanos;
    if (failed) {
      run.recorder().error(phase, operation.kind, outcome, latencyNanos);
    } else {
      run.recorder().success(phase, Measure.of(operation.kind), latencyNanos);
    }
    if (phase == Phase.MEASURED) {
      lastMeasuredEndNanos = nowNanos;
      run.measuredEnded(nowNanos);
    }
  }

  private boolean next() {
    long pauseNanos = backOff.after(failed);
    if (pauseNanos == 0 || run.isEnding() || !run.source().pausesAfterFailures()) {
      return run.source().next(this);
    }
    STATE.setRelease(this, PAUSED);
    run.scheduler().at(answerNanos + pauseNanos, this);
    if (run.isExpired()) {
      abandon();
    }
    return false;
  }

  private void unanswered() {
    long now = run.clock().nanos();
    switch (step) {
      case READ -> oracle.endRead(index, Outcome.INDETERMINATE, Session.NO_VERSION);
      case WRITE -> oracle.endWrite(index, Outcome.INDETERMINATE, now);
      case SECOND_READ, SCAN -> {}
    }
    if (operation.kind == OperationKind.INSERT) {
      run.spec().inserts().acknowledge(operation.key);
    }
    if (step != Step.SECOND_READ) {
      run.countUnanswered();
      end(Outcome.INDETERMINATE, now);
    }
  }
}
