package org.calando.clock.thread;

import java.io.IOException;
import org.calando.core.CpuSet;
import org.jspecify.annotations.Nullable;

/** Looks for a way when the first thread is moved: most who read clocks move none. Thread safe. */
final class LazyAffinity implements ThreadAffinity {
  private @Nullable ThreadAffinity found;

  @Override
  public void set(int tid, CpuSet cpus) throws IOException {
    way().set(tid, cpus);
  }

  @Override
  public String lack() {
    return way().lack();
  }

  private synchronized ThreadAffinity way() {
    ThreadAffinity way = found;
    if (way == null) {
      way = NativeAffinity.isAvailable() ? new NativeAffinity() : new TasksetAffinity();
      found = way;
    }
    return way;
  }
}
