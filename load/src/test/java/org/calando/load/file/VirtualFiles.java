package org.calando.load.file;

import java.util.concurrent.atomic.AtomicReference;
import org.calando.core.store.FileStore;
import org.calando.load.VirtualScheduler;

/** A session in virtual time: each call takes so long, all of them at once if need be. */
final class VirtualFiles implements FileSession {
  private final VirtualScheduler scheduler;
  private final FileStore store;
  private final int slots;
  private final long callNanos;
  int underWay;
  int most;
  boolean answers = true;

  VirtualFiles(VirtualScheduler scheduler, FileStore store, int slots, long callNanos) {
    this.scheduler = scheduler;
    this.store = store;
    this.slots = slots;
    this.callNanos = callNanos;
  }

  @Override
  public int slots() {
    return slots;
  }

  @Override
  public void call(Call call, Completion completion) {
    underWay++;
    most = Math.max(most, underWay);
    if (!answers) {
      return;
    }
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    scheduler.at(
        scheduler.nanos() + callNanos,
        () -> {
          long bytes = 0;
          try {
            bytes = call.run(store);
          } catch (RuntimeException e) {
            failure.set(e);
          }
          underWay--;
          completion.done(bytes, failure.get());
        });
  }
}
