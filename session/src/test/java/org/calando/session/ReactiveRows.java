package org.calando.session;

import com.datastax.dse.driver.api.core.cql.reactive.ReactiveResultSet;
import com.datastax.dse.driver.api.core.cql.reactive.ReactiveRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Subscribes to all rows of a reactive read. */
public final class ReactiveRows {
  private ReactiveRows() {}

  /** Subscribes; completed with the rows when all have come. */
  public static CompletableFuture<List<ReactiveRow>> of(ReactiveResultSet result) {
    List<ReactiveRow> rows = new ArrayList<>();
    CompletableFuture<List<ReactiveRow>> all = new CompletableFuture<>();
    result.subscribe(
        new Subscriber<>() {
          @Override
          public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
          }

          @Override
          public void onNext(ReactiveRow row) {
            rows.add(row);
          }

          @Override
          public void onError(Throwable error) {
            all.completeExceptionally(error);
          }

          @Override
          public void onComplete() {
            all.complete(rows);
          }
        });
    return all;
  }
}
