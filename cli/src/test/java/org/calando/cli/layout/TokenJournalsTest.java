package org.calando.cli.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.calando.cli.layout.TokenJournals.Unfinished;
import org.calando.control.Journal;
import org.calando.control.JournalEntry;
import org.calando.control.JournalEntry.Event;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.Partitioner;
import org.calando.core.layout.RingTokens;
import org.calando.core.policy.Knob;
import org.calando.store.cassandra.RingNode;
import org.calando.store.cassandra.RingState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenJournalsTest {
  private static final Instant NOW = Instant.parse("2026-11-22T01:00:00Z");

  @TempDir Path folder;

  @Test
  void anUnfinishedPlanIsFoundByAnyOfItsNodes() {
    begin(ring("h1", "h2", "h3"), Event.BEGUN);
    begin(ring("x1", "x2"), Event.BEGUN);
    List<Unfinished> found = journals().unfinished(Set.of("h3", "h9"));
    assertThat(found).hasSize(1);
    assertThat(found.get(0).label()).isEqualTo("half of " + NOW);
    assertThat(found.get(0).isFor(ring("h1", "h2", "h3"))).isTrue();
    assertThat(journals().unfinished(Set.of("h9"))).isEmpty();
  }

  @Test
  void aPlanThatHasEndedIsNone() {
    for (Event end : List.of(Event.IN_FORCE, Event.TAKEN_BACK, Event.GIVEN_UP)) {
      begin(ring("h1", "h2", "h3"), end);
    }
    assertThat(journals().unfinished(Set.of("h1"))).isEmpty();
  }

  @Test
  void aReplacedNodeDoesNotHideAPlan() {
    begin(ring("h1", "h2", "h3"), Event.BEGUN);
    RingState now = ring("h1", "h2", "h4");
    assertThat(journals().file(now)).doesNotExist();
    Unfinished plan = journals().unfinished(now.tokens().keySet()).get(0);
    assertThatThrownBy(() -> plan.requireFor(now))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContainingAll(
            "unfinished plan to half", "gone: host h3", "new: node-h4", "--abandon");
  }

  @Test
  void itIsKnownThatAPlanIsTakenBack() {
    begin(ring("h1"), Event.UNDONE);
    assertThat(journals().unfinished(Set.of("h1")).get(0).isGoingBack()).isTrue();
  }

  @Test
  void journalsAreReadWhileAnotherProcessWritesThemAndNotChanged() throws IOException {
    begin(ring("h1", "h2"), Event.BEGUN);
    Path file = journals().file(ring("h1", "h2"));
    Files.writeString(file, Files.readString(file) + "{\"torn");
    byte[] before = Files.readAllBytes(file);
    assertThat(journals().unfinished(Set.of("h1"))).hasSize(1);
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    try (Journal open = Journal.open(file)) {
      assertThat(open.open()).hasSize(1);
      assertThat(journals().unfinished(Set.of("h1"))).hasSize(1);
    }
  }

  @Test
  void aJournalThatCannotBeReadIsNamedAndOtherFilesAreNone() throws IOException {
    Files.writeString(folder.resolve("tokens.txt"), "no journal");
    assertThat(journals().unfinished(Set.of("h1"))).isEmpty();
    Files.writeString(folder.resolve("tokens-a.journal"), "no journal\n");
    assertThatThrownBy(() -> journals().unfinished(Set.of("h1")))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("tokens-a.journal");
    assertThat(new TokenJournals(folder.resolve("none")).unfinished(Set.of("h1"))).isEmpty();
  }

  private TokenJournals journals() {
    return new TokenJournals(folder);
  }

  private void begin(RingState ring, Event event) {
    RingTokens before = RingTokens.now(ring.tokens());
    Map<String, BigInteger> after = new TreeMap<>(ring.tokens());
    after.replaceAll((host, token) -> token.add(BigInteger.ONE));
    RingTokens to = new RingTokens("half", after, List.copyOf(after.keySet()), false);
    try (Journal journal = Journal.open(journals().file(ring))) {
      long plan = journal.entries().size() + 1L;
      journal.append(
          new JournalEntry(
              NOW,
              plan,
              event,
              "tokens",
              ring.target(),
              to.text(),
              before.text(),
              Knob.Lifetime.DURABLE,
              "",
              ""));
    }
  }

  private static RingState ring(String... hosts) {
    List<RingNode> nodes = new ArrayList<>();
    for (String host : hosts) {
      nodes.add(
          new RingNode(
              "node-" + host,
              host,
              InetSocketAddress.createUnresolved("127.0.0.1", 9042),
              "dc1",
              "r1",
              List.of(BigInteger.valueOf(nodes.size() * 100L)),
              Map.of(),
              Optional.empty()));
    }
    return new RingState("test", Partitioner.MURMUR3, nodes, List.of(), true);
  }
}
