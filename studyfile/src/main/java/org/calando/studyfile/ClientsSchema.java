package org.calando.studyfile;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.distinctList;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.longInteger;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.text;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.calando.core.observe.ClientUse;
import org.calando.core.store.ConsistencyLevel;
import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;

/** What {@code clusters[].clients} may say. */
final class ClientsSchema {
  private static final Key<ConsistencyLevel> READS =
      Key.of(
              "reads",
              choice("a consistency level", Names.of(ConsistencyLevel.values())),
              "The weakest level of their reads. Without it reads may be at any. With sessions: true the"
                  + " governor has some at ONE, so stale and fresh take ONE or LOCAL_ONE only.")
          .example("ONE");
  private static final Key<ConsistencyLevel> WRITES =
      Key.of(
              "writes",
              choice("a consistency level", Names.of(ConsistencyLevel.values())),
              "The weakest level of their writes. Without it writes may be at any.")
          .example("QUORUM");
  private static final Key<Long> KEYS =
      Key.of(
              "keys",
              longInteger(1, 1_000_000_000_000_000L),
              "Keys of a table, at least. Without it all requests may be for one: then a share of"
                  + " stale reads has an upper bound alone.")
          .example("1000000");
  private static final Key<OptionalDouble> POPULARITY =
      Key.of(
              "popularity",
              mapped(
                  text(
                      "a popularity",
                      "uniform|zipf:(10|\\d\\.\\d{1,3}|[1-9])",
                      "uniform, or zipf:0.99"),
                  ClientsSchema::zipf),
              "How requests spread over the keys.")
          .byDefault("uniform")
          .example("zipf:0.99");
  private static final Key<Long> PROPAGATION =
      Key.of(
              "propagation",
              duration(0, TimeUnit.HOURS.toNanos(1)),
              "Time that a write takes from its acknowledgement to every replica, as ./calando"
                  + " predict stale --live measures it. It is assumed constant.")
          .example("20ms");
  private static final Key<String> CANARY =
      Key.of(
              "canary",
              text("a keyspace", "\\w{1,48}", "letters, digits and _ (at most 48)"),
              "A keyspace of theirs in which the table calando_canary may be made and written to"
                  + " ten times a second, to measure that time instead.")
          .example("shop");
  private static final Key<List<String>> KEYSPACES =
      Key.of(
              "keyspaces",
              distinctList(
                  text("a keyspace", "\\w{1,48}", "letters, digits and _ (at most 48)"), 1, 1000),
              "Keyspaces that promises cover; without it all but the server's own.")
          .example("[shop]");

  static final ObjectType<ClientUse> TYPE =
      ObjectType.named(
              "the cluster's clients",
              "What clients do that no node reports, where promises depend on it.")
          .keys(READS, WRITES, KEYS, POPULARITY, PROPAGATION, CANARY, KEYSPACES)
          .check(ClientsSchema::check)
          .build(ClientsSchema::build);

  private ClientsSchema() {}

  private static OptionalDouble zipf(String text) {
    return text.equals("uniform")
        ? OptionalDouble.empty()
        : OptionalDouble.of(Double.parseDouble(text.substring("zipf:".length())));
  }

  private static void check(Values clients) {
    if (clients.given(PROPAGATION) && clients.given(CANARY)) {
      clients.error(CANARY, "measures what propagation says", "keep one of them");
    }
    if (clients.given(POPULARITY) && !clients.given(KEYS)) {
      clients.error(POPULARITY, "is of keys, of which there is no number", "write keys too");
    }
    if (clients.find(POPULARITY).stream()
        .anyMatch(zipf -> zipf.isPresent() && zipf.getAsDouble() == 0)) {
      clients.error(POPULARITY, "is zipf:0", "write uniform");
    }
  }

  private static ClientUse build(Values clients) {
    return new ClientUse(
        clients.find(READS),
        clients.find(WRITES),
        clients.find(KEYS).map(OptionalLong::of).orElseGet(OptionalLong::empty),
        clients.get(POPULARITY),
        clients.find(PROPAGATION).map(OptionalLong::of).orElseGet(OptionalLong::empty),
        clients.find(CANARY),
        clients.find(KEYSPACES).orElse(List.of()));
  }
}
