package org.calando.store.cassandra;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;

/** Operations one after the other on slot 0 of a session, each awaited. */
record Requests(Session session) {
  record Answer(Outcome outcome, long version) {}

  Answer read(long key, int field, ConsistencyLevel level) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    session.read(0, key, field, level, (s, o, v) -> answer.complete(new Answer(o, v)));
    return await(answer);
  }

  Outcome write(long key, int field, long version, ConsistencyLevel level) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    session.write(
        0, key, field, 100, version, level, (s, o, v) -> answer.complete(new Answer(o, v)));
    return await(answer).outcome();
  }

  Answer scan(long key, int count, int field, ConsistencyLevel level) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    session.scan(0, key, count, field, level, (s, o, v) -> answer.complete(new Answer(o, v)));
    return await(answer);
  }

  private static Answer await(CompletableFuture<Answer> answer) {
    return answer.orTimeout(30, TimeUnit.SECONDS).join();
  }
}
