package org.calando.power.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Collects an answer up to a number of bytes; a longer one fails with {@link TooLong}. */
final class BoundedBody implements BodySubscriber<byte[]> {
  private final long maxBytes;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;

  BoundedBody(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** The answer is longer than it may be. */
  static final class TooLong extends IOException {
    private static final long serialVersionUID = 1L;

    TooLong(long maxBytes) {
      super("the answer is longer than " + maxBytes + " bytes");
    }
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription theSubscription) {
    subscription = theSubscription;
    theSubscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      if (body.isDone()) {
        return;
      }
      if (bytes.size() + (long) buffer.remaining() > maxBytes) {
        body.completeExceptionally(new TooLong(maxBytes));
        if (subscription != null) {
          subscription.cancel();
        }
        return;
      }
      byte[] chunk = new byte[buffer.remaining()];
      buffer.get(chunk);
      bytes.writeBytes(chunk);
    }
  }

  @Override
  public void onError(Throwable problem) {
    body.completeExceptionally(problem);
  }

  @Override
  public void onComplete() {
    body.complete(bytes.toByteArray());
  }
}
