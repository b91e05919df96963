package org.calando.core.policy;

import org.calando.core.layout.RingTokens;
import org.calando.core.policy.buffer.BufferSetting;

/**
 * Names a knob and the type of what it can be set to. Immutable and thread safe.
 *
 * @param name as in journals and files, such as {@code read-level}
 * @param type of its values; immutable
 */
public record KnobId<V>(String name, Class<V> type) {
  /** Replicas that reads ask: ends with the process, by table. */
  public static final KnobId<ReadChoice> READ_LEVEL = new KnobId<>("read-level", ReadChoice.class);

  /** Which node has which place on the ring: durable, by cluster. */
  public static final KnobId<RingTokens> TOKENS = new KnobId<>("tokens", RingTokens.class);

  /** The clock of the cores that a node runs on, in kHz: leased, by node. */
  public static final KnobId<Long> CLOCK = new KnobId<>("clock", Long.class);

  /** Which groups of nodes are on, as the number of the gear, 1 or more: durable, by cluster. */
  public static final KnobId<Integer> GEAR = new KnobId<>("gear", Integer.class);

  /** How far a client defers its writes: ends with the process, by session. */
  public static final KnobId<BufferSetting> WRITE_BUFFER =
      new KnobId<>("write-buffer", BufferSetting.class);
}
