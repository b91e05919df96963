package org.calando.store.hdfs.internal;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;

/** What failures of Hadoop's client mean. */
final class Failures {
  private Failures() {}

  /** Whether the same call may succeed later: nobody answered, or not yet. */
  static boolean mayPass(IOException e) {
    return e instanceof SocketException
        || e instanceof SocketTimeoutException
        || e instanceof EOFException
        || e instanceof ClosedChannelException
        || e instanceof NoRouteToHostException
        || e instanceof RetriableException
        || e instanceof StandbyException
        || e.getClass().getSimpleName().equals("SafeModeException")
        || e.getClass().getSimpleName().equals("ServerException")
        || isOfAConnection(e);
  }

  /** The client wraps some of them, and tells the address in the message of the outer one. */
  private static boolean isOfAConnection(IOException e) {
    Throwable cause = e.getCause();
    return !(e instanceof InterruptedIOException)
        && cause instanceof IOException inner
        && inner != e
        && mayPass(inner);
  }

  /** What a failure says, without the stack trace that servers send along. */
  static String firstLine(Throwable e) {
    String message = String.valueOf(e.getMessage());
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
