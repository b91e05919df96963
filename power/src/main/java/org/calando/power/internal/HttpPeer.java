package org.calando.power.internal;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.calando.power.MeterException;
import org.calando.power.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Asks an HTTP server: every answer is bounded in time and size. One thread asks at a time; {@link
 * #close} may come from another and ends what it waits for.
 */
public final class HttpPeer implements AutoCloseable {
  private final HttpClient client;
  private final Ticker ticker;
  private final String where;
  private final Object lock = new Object();
  private @Nullable CompletableFuture<HttpResponse<byte[]>> underWay;
  private boolean closed;

  /**
   * A server.
   *
   * @param client shared with others
   * @param ticker clock of the deadlines
   * @param where the server, for messages; without secrets
   */
  public HttpPeer(HttpClient client, Ticker ticker, String where) {
    this.client = client;
    this.ticker = ticker;
    this.where = where;
  }

  /**
   * An answer.
   *
   * @param status HTTP status
   * @param headers headers of the answer
   * @param body the answer, whole
   * @param sentNanos just before the request was sent, on the ticker
   * @param receivedNanos just after the answer was complete
   */
  @SuppressWarnings("ArrayRecordComponent") // Passed on at once, and never compared.
  public record Answer(
      int status, HttpHeaders headers, byte[] body, long sentNanos, long receivedNanos) {
    /** The middle of the request. */
    public long middleNanos() {
      return sentNanos + (receivedNanos - sentNanos) / 2;
    }
  }

  /**
   * Asks; a connection that breaks is tried once more, because a server may close one that was kept
   * open just when it is used again.
   *
   * @param deadlineNanos when to give up, on the ticker
   * @param maxBytes longest answer
   */
  public Answer ask(HttpRequest request, long deadlineNanos, long maxBytes)
      throws MeterException, InterruptedException {
    IOException broken;
    try {
      return once(request, deadlineNanos, maxBytes);
    } catch (IOException e) {
      broken = e;
    }
    try {
      return once(request, deadlineNanos, maxBytes);
    } catch (IOException e) {
      e.addSuppressed(broken);
      throw new MeterException(
          "the connection broke: " + text(e), where, "check the server and its log", e);
    }
  }

  private Answer once(HttpRequest request, long deadlineNanos, long maxBytes)
      throws MeterException, InterruptedException, IOException {
    long sentNanos = ticker.nanos();
    long leftNanos = deadlineNanos - sentNanos;
    CompletableFuture<HttpResponse<byte[]>> answer = begin(request, maxBytes);
    try {
      HttpResponse<byte[]> response = answer.get(Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
      return new Answer(
          response.statusCode(), response.headers(), response.body(), sentNanos, ticker.nanos());
    } catch (TimeoutException e) {
      throw new MeterException(
          "no answer within " + Math.max(0, leftNanos / 1_000_000) + " ms",
          where,
          "check that the server is up and reachable from here",
          e);
    } catch (CancellationException e) {
      throw closedProblem();
    } catch (ExecutionException e) {
      throw problem(e.getCause() == null ? e : e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  private CompletableFuture<HttpResponse<byte[]>> begin(HttpRequest request, long maxBytes)
      throws MeterException {
    synchronized (lock) {
      if (closed) {
        throw closedProblem();
      }
      CompletableFuture<HttpResponse<byte[]>> answer =
          client.sendAsync(request, head -> new BoundedBody(maxBytes));
      underWay = answer;
      return answer;
    }
  }

  /** Returns what will not mend by itself, and throws what may be tried again. */
  private MeterException problem(Throwable cause) throws IOException {
    if (cause instanceof CancellationException) {
      return closedProblem();
    }
    if (cause instanceof HttpConnectTimeoutException) {
      return new MeterException(
          "no connection", where, "check the address, and the firewalls between", cause);
    }
    if (cause instanceof ConnectException) {
      return new MeterException(
          "connection refused or no such host",
          where,
          "check the address, and that the server runs",
          cause);
    }
    if (cause instanceof SSLException) {
      return new MeterException(
          "no secure connection: " + text(cause),
          where,
          "check https against http, and give the authority's certificate as ca",
          cause);
    }
    if (cause instanceof BoundedBody.TooLong) {
      return new MeterException(text(cause), where, "check that the URL is the right one", cause);
    }
    if (cause instanceof IOException failure) {
      throw failure;
    }
    return new MeterException("cannot be asked: " + text(cause), where, "check the URL", cause);
  }

  private MeterException closedProblem() {
    return new MeterException("was closed while it was asked", where, "");
  }

  private static String text(Throwable problem) {
    String message = problem.getMessage();
    return message == null ? problem.getClass().getSimpleName() : message;
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      if (underWay != null) {
        underWay.cancel(true);
      }
    }
  }
}
