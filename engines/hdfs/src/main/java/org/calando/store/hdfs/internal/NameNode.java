package org.calando.store.hdfs.internal;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.store.hdfs.HdfsAccess;

/*
 * Hadoop's client retries by itself, for minutes, and by rules that differ from call to call. Here
 * it tries once, and all waiting is in one place. A NameNode that was started again ends every
 * connection of before, which is seen only by the next call: that is why one that was not answered is
 * made again even though it may have been carried out. All that are made here do nothing the second
 * time, but for the creation of a file, which is refused then.
 */
/** Calls to the NameNode, made again while it does not answer. Thread safe. */
public final class NameNode implements AutoCloseable {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final HdfsAccess access;
  private final DistributedFileSystem files;

  /** A call that may be made twice. */
  public interface Call<T> {
    /** Makes it. */
    T make(DistributedFileSystem fs) throws IOException;
  }

  /** A call without an answer. */
  public interface Action {
    /** Makes it. */
    void make(DistributedFileSystem fs) throws IOException;
  }

  /**
   * Prepares calls; none is made yet.
   *
   * @throws FailedWorkException if the client cannot be made
   */
  public NameNode(HdfsAccess access) {
    this.access = access;
    try {
      FileSystem fs =
          FileSystem.newInstance(access.uri(), ClientSettings.of(access), access.user());
      files = (DistributedFileSystem) fs;
    } catch (IOException e) {
      throw new FailedWorkException(
          "the client of HDFS cannot be made: " + e.getMessage(), access.uri().toString(), "", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("interrupted", access.uri().toString(), "", e);
    }
  }

  /** As {@link #call}, without an answer. */
  public void run(String what, Action action) {
    boolean unused =
        call(
            what,
            fs -> {
              action.make(fs);
              return true;
            });
  }

  /**
   * Makes a call.
   *
   * @param what for messages, such as {@code listing DataNodes}
   * @throws BadRequestException if it names what is not there, or is not allowed
   * @throws FailedWorkException if the NameNode refuses, or does not answer in time
   */
  public <T> T call(String what, Call<T> call) {
    long deadline = System.nanoTime() + access.answerWithin().toNanos();
    long pause = FIRST_PAUSE_NANOS;
    while (true) {
      try {
        return call.make(files);
      } catch (IOException e) {
        IOException told = e instanceof RemoteException r ? r.unwrapRemoteException() : e;
        if (!Failures.mayPass(told)) {
          throw refused(what, told);
        }
        if (System.nanoTime() - deadline >= 0 || Thread.currentThread().isInterrupted()) {
          throw silent(what, told);
        }
        LockSupport.parkNanos(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      }
    }
  }

  private RuntimeException refused(String what, IOException e) {
    String where = access.uri().toString();
    String reason = what + ": " + Failures.firstLine(e);
    if (e instanceof AccessControlException) {
      return new BadRequestException(
          reason, where, "give a user who may; the one who started the NameNode may do all");
    }
    if (e instanceof FileNotFoundException) {
      return new BadRequestException(reason, where, "name one that is there");
    }
    if (e instanceof FileAlreadyExistsException) {
      return new BadRequestException(reason, where, "name another, or remove this one before");
    }
    return new FailedWorkException("the NameNode refuses " + reason, where, "", e);
  }

  private FailedWorkException silent(String what, IOException e) {
    return new FailedWorkException(
        "the NameNode does not answer within "
            + access.answerWithin().toSeconds()
            + " s ("
            + what
            + ": "
            + Failures.firstLine(e)
            + ")",
        access.uri().toString(),
        "start it, and look into its log",
        e);
  }

  @Override
  public void close() {
    try {
      files.close();
    } catch (IOException e) {
      // nothing is left to be written: files are closed by those who write them
    }
  }
}
