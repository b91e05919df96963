package org.calando.http.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * What the text of an answer that goes on is written to, one text at a time. No thread waits for
 * the client. Thread safe.
 */
public final class AnswerSink implements AutoCloseable {
  private final Response response;
  private final EndPoint end;
  private final Callback answered;
  private final BooleanSupplier admitted;
  private final AtomicBoolean closed = new AtomicBoolean();

  AnswerSink(Response response, EndPoint end, Callback answered, BooleanSupplier admitted) {
    this.response = response;
    this.end = end;
    this.answered = answered;
    this.admitted = admitted;
  }

  /**
   * Whether the client may still hear: what it showed to ask is a token of those in force now.
   * Nothing is written to one that may not.
   */
  public boolean isAdmitted() {
    return admitted.getAsBoolean();
  }

  /**
   * Writes a text; the next one only when this one is taken.
   *
   * @param taken hears, on any thread, whether it was taken: false if the client is gone, or does
   *     not read
   */
  public void write(String text, Consumer<Boolean> taken) {
    if (!isAdmitted()) {
      close();
    }
    if (closed.get()) {
      taken.accept(false);
      return;
    }
    response.write(
        false,
        ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)),
        Callback.from(
            () -> taken.accept(true),
            failed -> {
              close();
              taken.accept(false);
            }));
  }

  /** Ends the answer, and the connection, whether all was taken or not. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      // First, as an answer that is under way has no other end.
      end.close();
      answered.failed(new EofException("ended"));
    }
  }
}
