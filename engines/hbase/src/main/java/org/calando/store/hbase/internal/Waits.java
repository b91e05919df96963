package org.calando.store.hbase.internal;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.calando.core.FailedWorkException;

/** Waits for answers of the master and of ZooKeeper, with a deadline. Thread safe. */
public final class Waits {
  private final Duration timeout;
  private final String cluster;
  private final String remedy;

  /**
   * Waits that long for each answer.
   *
   * @param cluster its name in messages
   */
  public Waits(Duration timeout, String cluster) {
    this(timeout, cluster, "see the master's log");
  }

  /**
   * The same.
   *
   * @param remedy what to do about an answer that is an error
   */
  Waits(Duration timeout, String cluster, String remedy) {
    this.timeout = timeout;
    this.cluster = cluster;
    this.remedy = remedy;
  }

  /**
   * An answer.
   *
   * @throws FailedWorkException if there is none in time, or it is an error
   */
  public <T> T get(CompletableFuture<T> answer, String what) {
    try {
      return ask(answer, what);
    } catch (IOException e) {
      throw failure(e, what);
    }
  }

  /** The same, for work that has no result. */
  public void done(CompletableFuture<Void> work, String what) {
    try {
      var unused = ask(work, what);
    } catch (IOException e) {
      throw failure(e, what);
    }
  }

  /**
   * An answer.
   *
   * @throws IOException what the cluster answers
   * @throws FailedWorkException if there is none in time
   */
  public <T> T ask(CompletableFuture<T> answer, String what) throws IOException {
    try {
      return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (Errors.cause(e) instanceof IOException told) {
        throw told;
      }
      throw failure(Errors.cause(e), what);
    } catch (TimeoutException e) {
      throw new FailedWorkException(
          what + ": no answer within " + timeout.toSeconds() + " s",
          cluster,
          "check that ZooKeeper, the master and the RegionServers run",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException(what + " was interrupted", cluster, "", e);
    }
  }

  /** The failure of some work. */
  public FailedWorkException failure(Throwable error, String what) {
    return new FailedWorkException(what + ": " + Errors.words(error), cluster, remedy, error);
  }
}
