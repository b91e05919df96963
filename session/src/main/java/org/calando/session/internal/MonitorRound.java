package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.observe.TableRates;
import org.calando.core.observe.TableRates.Count;
import org.calando.core.policy.Observation;
import org.calando.core.store.ReplicaPlacement;
import org.calando.session.Cost;
import org.calando.session.MonitorFigures;
import org.calando.session.MonitorFigures.Gap;
import org.calando.session.MonitorFigures.WriteBytes;
import org.calando.session.TableName;
import org.jspecify.annotations.Nullable;

/*
 * The middle between question and answer is taken as the time of a count: whatever the node did in
 * between, that is wrong by half the round trip at most, and by about as much in every round.
 *
 * A round ends at its deadline, but its questions are not given up before some more of it: nodes that are overloaded tell
 * their counts late in each round, and who takes none of these knows nothing of them while it lasts.
 */
/** Asks nodes for their counts and keeps what they told. Thread safe. */
public final class MonitorRound {
  /** Deadlines that a question has for its answer. */
  private static final int LATE = 4;

  private final CqlSession session;
  private final Duration deadline;
  private final CountQuestions questions;
  private final PartitionSizes sizes;
  private final LongSupplier clock;
  private final ToDoubleFunction<TableName> ownWriteBytes;
  private final CostMeter cost = new CostMeter();

  private final Object lock = new Object();
  // All guarded by the lock.
  private final Map<TableName, TableRates> rates = new HashMap<>();
  private final Map<UUID, CompletableFuture<Void>> owing = new HashMap<>();
  private final Map<UUID, Problem> problems = new HashMap<>();

  private record Problem(Gap gap, boolean refused) {}

  /** Watches tables through a session. */
  public MonitorRound(
      CqlSession session,
      Set<TableName> tables,
      Duration deadline,
      LongSupplier clock,
      ToDoubleFunction<TableName> ownWriteBytes) {
    this.session = session;
    this.deadline = deadline;
    this.questions = new CountQuestions(tables, deadline.multipliedBy(LATE));
    this.sizes = new PartitionSizes(session, tables, deadline, cost);
    this.clock = clock;
    this.ownWriteBytes = ownWriteBytes;
    tables.forEach(table -> rates.put(table, new TableRates()));
  }

  /** Asks every node that is up and owes no answer; see {@link org.calando.session.Monitor#ask}. */
  public CompletableFuture<Void> ask() {
    List<CompletableFuture<?>> answers = new ArrayList<>();
    cost.run(
        () -> {
          Map<UUID, Node> nodes = connected();
          synchronized (lock) {
            problems.keySet().retainAll(nodes.keySet());
            rates.values().forEach(table -> table.keepOnly(nodes.keySet()));
          }
          nodes.forEach(
              (id, node) -> {
                if (!Nodes.isDown(node)) {
                  answers.add(inTime(id, node, asked(id, node)));
                }
              });
          sizes.askIfDue(clock.getAsLong());
        });
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new));
  }

  /** Ends with a node's answers, or at the deadline. */
  private CompletableFuture<?> inTime(UUID id, Node node, CompletableFuture<Void> answers) {
    return answers
        .thenApply(done -> true)
        .completeOnTimeout(false, deadline.toNanos(), TimeUnit.NANOSECONDS)
        .thenAccept(
            done -> {
              synchronized (lock) {
                if (!done && owing.get(id) == answers) {
                  Gap gap = new Gap(Nodes.address(node), "did not answer in time");
                  problems.put(id, new Problem(gap, false));
                }
              }
            });
  }

  /** The answers that a node owes, of questions before or else of new ones. */
  private CompletableFuture<Void> asked(UUID id, Node node) {
    CompletableFuture<Void> answers = new CompletableFuture<>();
    synchronized (lock) {
      CompletableFuture<Void> owed = owing.putIfAbsent(id, answers);
      if (owed != null) {
        return owed;
      }
    }
    long connection = node.getUpSinceMillis();
    List<CompletableFuture<?>> each = new ArrayList<>();
    questions
        .statements()
        .forEach(
            (kind, statement) -> {
              long asked = clock.getAsLong();
              cost.request();
              each.add(
                  Requests.send(session, statement.setNode(node))
                      .thenCompose(first -> wholeAnswer(first, kind, id, connection, asked))
                      .toCompletableFuture());
            });
    var unused =
        CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new))
            .whenComplete(
                (done, error) -> {
                  settled(id, node, error);
                  answers.complete(null);
                });
    return answers;
  }

  private CompletionStage<@Nullable Void> wholeAnswer(
      AsyncResultSet page, Count kind, UUID id, long connection, long asked) {
    long now = clock.getAsLong();
    cost.run(
        () -> {
          long took = Math.max(0, now - asked);
          long time = asked + took / 2;
          synchronized (lock) {
            page.currentPage()
                .forEach(
                    row -> {
                      TableName name =
                          new TableName(
                              Objects.requireNonNullElse(row.getString(0), ""),
                              Objects.requireNonNullElse(row.getString(1), ""));
                      TableRates table = rates.get(name);
                      if (table != null) {
                        table.answered(id, kind, connection, time, took, row.getLong(2));
                      }
                    });
          }
        });
    if (!page.hasMorePages()) {
      return CompletableFuture.completedFuture(null);
    }
    cost.request();
    return page.fetchNextPage().thenCompose(next -> wholeAnswer(next, kind, id, connection, asked));
  }

  private void settled(UUID id, Node node, @Nullable Throwable error) {
    synchronized (lock) {
      owing.remove(id);
      if (error == null) {
        problems.remove(id);
      } else {
        Throwable cause = Failures.cause(error);
        problems.put(
            id,
            new Problem(
                new Gap(Nodes.address(node), Failures.text(cause)), Failures.refused(cause)));
      }
    }
  }

  /** What is known of a table. */
  public MonitorFigures figures(TableName name) {
    Map<UUID, Node> contributors = new HashMap<>();
    List<Gap> late = new ArrayList<>();
    List<Gap> down = new ArrayList<>();
    double own = ownWriteBytes.applyAsDouble(name);
    double bytes = Double.isNaN(own) ? sizes.meanBytes(name) : own;
    WriteBytes source = WriteBytes.UNKNOWN;
    if (!Double.isNaN(bytes)) {
      source = Double.isNaN(own) ? WriteBytes.TABLE_STATISTICS : WriteBytes.OWN_WRITES;
    }
    synchronized (lock) {
      TableRates table = rates.get(name);
      if (table == null) {
        throw new IllegalArgumentException(name + " is not watched");
      }
      connected()
          .forEach(
              (id, node) -> {
                Problem problem = problems.get(id);
                if (Nodes.isDown(node)) {
                  down.add(new Gap(Nodes.address(node), "is down"));
                } else {
                  contributors.put(id, node);
                  if (problem != null) {
                    late.add(problem.gap());
                  }
                }
              });
      ReplicaShares shares = ReplicaShares.of(placement(name.keyspace()), connected().values());
      Optional<Observation.Rates> sum =
          table
              .sum(
                  contributors.keySet(),
                  id -> shares.of(Objects.requireNonNull(contributors.get(id))))
              .map(
                  each ->
                      new Observation.Rates(
                          each.atNanos(), each.readsPerSecond(), each.writesPerSecond(), bytes));
      return new MonitorFigures(sum, source, late, down);
    }
  }

  private Optional<ReplicaPlacement> placement(String keyspace) {
    return session
        .getMetadata()
        .getKeyspace(CqlIdentifier.fromInternal(keyspace))
        .flatMap(known -> TableLevels.placement(known, Optional.empty()));
  }

  /**
   * Fails if the last round was refused or had no answer at all.
   *
   * @throws BadRequestException if a node refuses to tell its counts
   * @throws FailedWorkException if no node answered
   */
  public void requireAnswers() {
    synchronized (lock) {
      for (Problem problem : problems.values()) {
        if (problem.refused()) {
          throw new BadRequestException(
              problem.gap().reason(),
              "node " + problem.gap().node(),
              "use Cassandra 4.0 or newer, and let the role read the counts:"
                  + " GRANT SELECT ON KEYSPACE system_views TO its name");
        }
      }
      long up = connected().values().stream().filter(node -> !Nodes.isDown(node)).count();
      if (problems.size() >= up) {
        throw new FailedWorkException(
            "no node reports its counts: "
                + problems.values().stream()
                    .map(problem -> problem.gap().node() + ": " + problem.gap().reason())
                    .collect(Collectors.joining("; ")),
            "monitor",
            "look whether the nodes run and are not overloaded");
      }
    }
  }

  /** What the questions have cost. */
  public Cost cost() {
    return cost.cost();
  }

  private Map<UUID, Node> connected() {
    Map<UUID, Node> nodes = new HashMap<>();
    session
        .getMetadata()
        .getNodes()
        .forEach(
            (id, node) -> {
              if (Nodes.mayBeAsked(node)) {
                nodes.put(id, node);
              }
            });
    return nodes;
  }
}
