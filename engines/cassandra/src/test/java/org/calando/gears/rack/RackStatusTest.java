package org.calando.gears.rack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.calando.gears.rack.RackStatus.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RackStatusTest {
  @TempDir private Path folder;

  private static List<String> wrong(PaperRacks racks) {
    return RackStatus.of(racks.means()).findings().stream().map(Problem::problem).toList();
  }

  @Test
  void allIsWellWhereNodesAreAsTheyAreToBe() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    assertThat(wrong(racks)).isEmpty();
    new RackShifter(racks.means(), "test").shift(Set.of("dc1/r3"));
    assertThat(wrong(racks)).isEmpty();
    RackStatus status = RackStatus.of(racks.means());
    assertThat(status.nodes()).filteredOn(RackStatus.Node::off).hasSize(2);
  }

  @Test
  void aNodeThatIsNotAsItIsToBeIsNamed() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.node("n1").on = false;
    racks.node("n2").serves = false;
    assertThat(wrong(racks))
        .containsExactly(
            "it should be on, and does not answer over JMX", "it takes no requests of clients");
    racks.node("n1").on = true;
    racks.node("n2").serves = true;
    RackShifter shifter = new RackShifter(racks.means(), "test");
    shifter.shift(Set.of("dc1/r3"));
    racks.node("n3").on = true;
    assertThat(wrong(racks)).containsExactly("it should be off, and is on: it may lack writes");
  }

  @Test
  void whatIsMadeWithTooFewCopiesWhileARackIsOffIsTold() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.keyspaces.put("later", Set.of(Set.of("n3")));
    assertThat(wrong(racks)).isEmpty();
    racks.keyspaces.remove("later");
    new RackShifter(racks.means(), "test").shift(Set.of("dc1/r3"));
    racks.keyspaces.put("later", Set.of(Set.of("n3")));
    assertThat(wrong(racks)).hasSize(1).first().asString().contains("keyspace later");
  }

  /** A day is the least that a shift down takes. */
  @Test
  void thatDeletionsWillSoonKeepARackOffIsTold() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.graceSeconds = 86_400L;
    new RackShifter(racks.means(), "test").shift(Set.of("dc1/r3"));
    racks.wasOffFor(74_000);
    assertThat(wrong(racks)).isEmpty();
    racks.wasOffFor(200);
    assertThat(RackStatus.of(racks.means()).findings())
        .hasSize(1)
        .first()
        .asString()
        .contains("not switched on from 77760 s on", "ALTER TABLE shop.stock", "gear up");
  }

  @Test
  void whyANodeDoesNotAnswerIsTold() {
    PaperRacks racks = new PaperRacks(folder);
    racks.deafFor.put("n2", Integer.MAX_VALUE);
    assertThat(wrong(racks))
        .containsExactly("it should be on, and does not answer over JMX (wrong password)");
    assertThat(new RackShifter(racks.means(), "test").problems())
        .first()
        .asString()
        .contains("does not answer over JMX (wrong password)", "jmx-user");
  }

  @Test
  void aNodeThatStartsAgainKeepsHintsAgainForLongEnough() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    RackShifter shifter = new RackShifter(racks.means(), "test");
    assertThat(shifter.keepHints()).isEmpty();
    shifter.shift(Set.of("dc1/r3"));
    assertThat(shifter.keepHints()).isEmpty();
    racks.node("n4").window = 10_800_000;
    assertThat(wrong(racks)).hasSize(1).first().asString().contains("for 180 min only");
    assertThat(shifter.keepHints()).containsExactly("n4");
    assertThat(wrong(racks)).isEmpty();
  }
}
