package org.calando.store.redis.internal;

import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;

/**
 * One command on its way and, at the same time, the callback of its end: the client's own futures
 * are not needed. Of one use.
 *
 * @param <T> what the output holds
 */
class Request<T> extends Command<byte[], byte[], T> {
  private final Slot slot;
  private final long operation;
  private final Refusals refusals;

  /** Is told of errors. */
  interface Refusals {
    void refused(Slot slot, long operation, Outcome outcome, String why);
  }

  Request(
      ProtocolKeyword type,
      CommandOutput<byte[], byte[], T> output,
      CommandArgs<byte[], byte[]> args,
      Slot slot,
      long operation,
      Refusals refusals) {
    super(type, output, args);
    this.slot = slot;
    this.operation = operation;
    this.refusals = refusals;
  }

  @Override
  public void complete() {
    super.complete();
    CommandOutput<byte[], byte[], T> answer = getOutput();
    if (answer.hasError()) {
      String error = String.valueOf(answer.getError());
      refusals.refused(slot, operation, Outcomes.ofError(error), error);
    } else {
      succeeded(slot, operation, answer);
    }
  }

  /** The server answered. */
  void succeeded(Slot itsSlot, long number, CommandOutput<byte[], byte[], T> answer) {
    if (answer instanceof VersionOutput found && !found.found()) {
      itsSlot.absent(number);
    } else if (answer instanceof VersionOutput found
        && found.version() == Session.NO_VERSION
        && itsSlot.kind() == Slot.Kind.READ) {
      // Every write of ours has a version: somebody else wrote this record.
      refusals.refused(itsSlot, number, Outcome.FAILED, "a record without a version");
    } else if (answer instanceof VersionOutput found) {
      itsSlot.answered(number, found.version());
    } else {
      itsSlot.answered(number, Session.NO_VERSION);
    }
  }

  @Override
  public void cancel() {
    super.cancel();
    refusals.refused(slot, operation, Outcome.INDETERMINATE, "the connection was lost");
  }

  @Override
  public boolean completeExceptionally(Throwable error) {
    boolean first = super.completeExceptionally(error);
    refusals.refused(slot, operation, Outcome.INDETERMINATE, String.valueOf(error));
    return first;
  }
}
