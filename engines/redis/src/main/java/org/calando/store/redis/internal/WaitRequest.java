package org.calando.store.redis.internal;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;

/** WAIT: how many replicas have acknowledged what its connection wrote before. Of one use. */
final class WaitRequest extends Request<Long> {
  private final int replicas;
  private final Refusals told;

  WaitRequest(int replicas, long timeoutMillis, Slot slot, long operation, Refusals refusals) {
    super(
        CommandType.WAIT,
        new IntegerOutput<>(ByteArrayCodec.INSTANCE),
        new CommandArgs<>(ByteArrayCodec.INSTANCE).add(replicas).add(timeoutMillis),
        slot,
        operation,
        refusals);
    this.replicas = replicas;
    this.told = refusals;
  }

  @Override
  void succeeded(Slot slot, long operation, CommandOutput<byte[], byte[], Long> answer) {
    Long acknowledged = answer.get();
    if (acknowledged != null && acknowledged >= replicas) {
      slot.answered(operation, Session.NO_VERSION);
    } else {
      // The master has done it, and replicas may get it yet, or lose it with the master.
      told.refused(
          slot,
          operation,
          Outcome.INDETERMINATE,
          acknowledged + " of " + replicas + " replicas acknowledged in time");
    }
  }
}
