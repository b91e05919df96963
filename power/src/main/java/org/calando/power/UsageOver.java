package org.calando.power;

/**
 * Changes some of what another source tells, and passes the rest on. As thread safe as what is
 * built on it.
 */
public abstract class UsageOver implements UsageSource {
  private final UsageSource base;

  /** Over a source, which its owner closes. */
  protected UsageOver(UsageSource base) {
    this.base = base;
  }

  /** The source below. */
  protected final UsageSource base() {
    return base;
  }

  /** The sum of two counts of bytes, unknown if one of them is. */
  protected static long sum(long one, long other) {
    boolean unknown = one == NodeUsage.UNKNOWN || other == NodeUsage.UNKNOWN;
    return unknown ? NodeUsage.UNKNOWN : one + other;
  }

  @Override
  public Refresh refresh(long deadlineNanos) {
    return base.refresh(deadlineNanos);
  }

  @Override
  public long renewalNanos() {
    return base.renewalNanos();
  }

  @Override
  public boolean knows(int node) {
    return base.knows(node);
  }

  @Override
  public boolean isOff(int node) {
    return base.isOff(node);
  }

  @Override
  public boolean immediate() {
    return base.immediate();
  }

  @Override
  public long ownCpuNanos() {
    return base.ownCpuNanos();
  }
}
