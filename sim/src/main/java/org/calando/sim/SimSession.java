package org.calando.sim;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.calando.core.store.Completion;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.DeferredWrites;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.WriteBuffers;
import org.jspecify.annotations.Nullable;

/**
 * Operations on a simulated cluster; their completions come from events of its simulation, whose
 * thread all calls belong to. Fields and sizes of values make no difference to it.
 */
final class SimSession implements Session, DeferredWrites {
  private static final long NONE = -1;

  private final SimCluster cluster;
  private final int requester;
  private final @Nullable Completion[] completions;
  private final boolean[] scanning;
  private final WriteBuffers buffers;

  /** Of a slot's write that is sent by itself, when it was called; -1 for other operations. */
  private final long[] calledNanos;

  private final Map<Outcome, String> firstErrors = new EnumMap<>(Outcome.class);

  SimSession(SimCluster cluster, int slots) {
    this.cluster = cluster;
    this.completions = new Completion[slots];
    this.scanning = new boolean[slots];
    this.buffers = cluster.writeBuffers();
    this.calledNanos = new long[slots];
    Arrays.fill(calledNanos, NONE);
    this.requester = cluster.register(this::answered);
  }

  @Override
  public int slots() {
    return completions.length;
  }

  @Override
  public void read(int slot, long key, int field, ConsistencyLevel level, Completion completion) {
    if (begin(slot, key, completion)) {
      cluster.read(requester, slot, key, level);
    }
  }

  @Override
  public void write(
      int slot,
      long key,
      int field,
      int valueBytes,
      long version,
      ConsistencyLevel level,
      Completion completion) {
    if (begin(slot, key, completion)) {
      buffers.called();
      calledNanos[slot] = buffers.isStrong() ? now() : NONE;
      cluster.write(requester, slot, key, version, level);
    }
  }

  @Override
  public void scan(
      int slot, long key, int count, int field, ConsistencyLevel level, Completion completion) {
    if (begin(slot, key, completion)) {
      scanning[slot] = true;
      cluster.scan(requester, slot, key, count, level);
    }
  }

  @Override
  public boolean flush(Runnable done) {
    return buffers.flush(done);
  }

  @Override
  public long atRisk() {
    return buffers.account().atRisk();
  }

  @Override
  public void beginWindow() {
    buffers.account().beginWindow(now());
  }

  @Override
  public DeferralFigures figures() {
    return buffers.account().figures(now());
  }

  @Override
  public DeferralFigures figures(long promisedNanos) {
    return buffers.account().figures(now(), promisedNanos);
  }

  private long now() {
    return cluster.simulation().nowNanos();
  }

  @Override
  public List<String> errors() {
    return List.copyOf(firstErrors.values());
  }

  /** Operations under way end as the simulation runs on. */
  @Override
  public void close() {}

  /** Takes the slot; says whether the operation can be sent. */
  private boolean begin(int slot, long key, Completion completion) {
    if (completions[slot] != null) {
      throw new IllegalStateException("slot " + slot + " has an operation under way");
    }
    if (key >= cluster.config().mostKeys()) {
      firstErrors.putIfAbsent(
          Outcome.FAILED,
          "key %d: the simulated cluster holds %d".formatted(key, cluster.config().mostKeys()));
      completion.complete(slot, Outcome.FAILED, NO_VERSION);
      return false;
    }
    completions[slot] = completion;
    return true;
  }

  private void answered(int slot, Outcome outcome, long version) {
    Completion completion = completions[slot];
    if (completion == null) {
      throw new IllegalStateException("slot " + slot + " has no operation under way");
    }
    completions[slot] = null;
    long found = scanning[slot] ? NO_VERSION : version;
    scanning[slot] = false;
    long called = calledNanos[slot];
    calledNanos[slot] = NONE;
    if (called != NONE) {
      if (outcome == Outcome.OK) {
        buffers.writtenAlone(now() - called);
      } else {
        buffers.account().missed();
      }
    }
    switch (outcome) {
      case REFUSED -> firstErrors.putIfAbsent(outcome, "too few replicas are up for the level");
      case INDETERMINATE -> firstErrors.putIfAbsent(outcome, "no answer in time");
      default -> {}
    }
    completion.complete(slot, outcome, found);
  }
}
