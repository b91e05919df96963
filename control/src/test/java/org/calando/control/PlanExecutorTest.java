package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.calando.core.policy.Knob.Lifetime.DURABLE;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.calando.control.JournalEntry.Event;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanExecutorTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  @TempDir Path folder;
  private FileKnob knob;
  private Path file;

  @BeforeEach
  void makeKnob() {
    knob = new FileKnob(folder);
    file = folder.resolve("journal");
  }

  @Test
  void aDryRunTellsEveryStepAndDoesNone() {
    assertThat(PlanExecutor.dryRun(knob.plan(0, 5)))
        .containsExactly("write 5 to a", "write 5 to b", "write 5 to c");
    assertThat(knob.all()).containsExactly(0, 0, 0);
    assertThat(PlanExecutor.dryRun(knob.plan(0, 0)))
        .allMatch(line -> line.endsWith("(done already)"));
  }

  @Test
  void aPlanIsCarriedOutStepByStepAndEachIsNotedBeforeItBegins() throws InterruptedException {
    try (Journal journal = Journal.open(file)) {
      assertThat(execute(journal, 5).event()).isEqualTo(Event.IN_FORCE);
      assertThat(journal.entries())
          .extracting(entry -> entry.event() + " " + entry.step())
          .containsExactly(
              "PLANNED ",
              "BEGUN write-a",
              "DONE write-a",
              "BEGUN write-b",
              "DONE write-b",
              "BEGUN write-c",
              "DONE write-c",
              "IN_FORCE ");
      assertThat(journal.open()).isEmpty();
    }
    assertThat(knob.all()).containsExactly(5, 5, 5);
  }

  @Test
  void aStepThatFailsTakesTheOthersBackTheNewestFirst() {
    knob.refuse.add("c");
    try (Journal journal = Journal.open(file)) {
      assertThatThrownBy(() -> execute(journal, 5))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("write 5 to c")
          .hasMessageContaining("refused")
          .hasMessageContaining("reverted");
      assertThat(knob.all()).containsExactly(0, 0, 0);
      assertThat(knob.writes).containsExactly("a=5", "b=5", "c=0", "b=0", "a=0");
      assertThat(journal.open()).isEmpty();
    }
  }

  @Test
  void aStepThatDoesNotReadBackIsNotDone() {
    knob.forget.add("b");
    try (Journal journal = Journal.open(file)) {
      assertThatThrownBy(() -> execute(journal, 5)).hasMessageContaining("does not read back");
      assertThat(knob.all()).containsExactly(0, 0, 0);
    }
  }

  @Test
  void aPlanThatIsToStayWhereItFailedIsOpenAndGoesOnFromThere() throws InterruptedException {
    knob.refuse.add("b");
    try (Journal journal = Journal.open(file)) {
      assertThatThrownBy(() -> leaving(journal).execute(knob.plan(0, 5), "0", DURABLE))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("the steps before it stay");
      assertThat(knob.all()).containsExactly(5, 0, 0);
      assertThat(journal.open()).hasSize(1);

      knob.refuse.clear();
      leaving(journal).finish(knob.plan(0, 5), journal.open().get(0));
      assertThat(knob.writes).containsExactly("a=5", "b=5", "c=5");
      assertThat(journal.open()).isEmpty();
    }
  }

  @Test
  void aFailureNamesOneRemedyAndHowToResume() {
    knob.refuse.add("b");
    try (Journal journal = Journal.open(file)) {
      assertThatThrownBy(() -> execute(journal, 5)).satisfies(e -> remedy(e, "; then repeat the"));
      assertThatThrownBy(() -> leaving(journal).execute(knob.plan(0, 5), "0", DURABLE))
          .satisfies(e -> remedy(e, "; then continue with --resume"));
      knob.keep.add("b");
      assertThatThrownBy(() -> leaving(journal).takeBack(knob.plan(0, 5), journal.open().get(0)))
          .hasMessageContaining("could not be reverted")
          .satisfies(e -> remedy(e, "; then continue with --undo"));
    }
  }

  @Test
  void aRemedyThatSaysItselfHowToResumeStandsAlone() {
    knob.refuse.add("b");
    knob.remedy = "--undo: nothing else helps";
    try (Journal journal = Journal.open(file)) {
      assertThatThrownBy(() -> leaving(journal).execute(knob.plan(0, 5), "0", DURABLE))
          .satisfies(e -> assertThat(((CalandoException) e).remedy()).isEqualTo(knob.remedy));
    }
  }

  private void remedy(Throwable e, String onward) {
    assertThat(e.getMessage().split("remedy:", -1)).as(e.getMessage()).hasSize(2);
    assertThat(((CalandoException) e).remedy()).startsWith(knob.remedy + onward);
  }

  @Test
  void aPlanThatDoesNotHaveWhatWasBegunAnyMoreIsNeverTakenForEnded() throws InterruptedException {
    knob.refuse.add("c");
    Plan whole = knob.plan(0, 5);
    Plan lesser =
        new Plan(whole.knob(), whole.target(), whole.value(), whole.steps().subList(1, 3));
    try (Journal journal = Journal.open(file)) {
      assertThatThrownBy(() -> leaving(journal).execute(whole, "0", DURABLE))
          .isInstanceOf(FailedWorkException.class);
      knob.refuse.clear();
      JournalEntry last = journal.open().get(0);
      for (PlanExecutor executor : List.of(leaving(journal), takingBack(journal))) {
        assertThatThrownBy(() -> executor.finish(lesser, last)).satisfies(this::ofBegun);
        assertThatThrownBy(() -> executor.takeBack(lesser, last)).satisfies(this::ofBegun);
        assertThat(journal.open()).hasSize(1);
      }
      assertThat(knob.all()).as("the rest of a leased one is taken back").containsExactly(5, 0, 0);
      leaving(journal).takeBack(whole, last);
      assertThat(journal.open()).isEmpty();
    }
  }

  private void ofBegun(Throwable e) {
    assertThat(e)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("has begun steps that its plan no longer has")
        .hasMessageContaining("write-a")
        .hasMessageContaining("--abandon");
  }

  @Test
  void aPlanThatIsGivenUpStaysWhereItIsAndIsNotOpen() {
    knob.refuse.add("b");
    try (Journal journal = Journal.open(file)) {
      assertThatThrownBy(() -> leaving(journal).execute(knob.plan(0, 5), "0", DURABLE))
          .isInstanceOf(FailedWorkException.class);
      leaving(journal).giveUp(journal.open().get(0));
      assertThat(journal.open()).isEmpty();
    }
    assertThat(knob.all()).containsExactly(5, 0, 0);
    try (Journal journal = Journal.open(file)) {
      assertThat(journal.open()).isEmpty();
    }
  }

  private static PlanExecutor takingBack(Journal journal) {
    return new PlanExecutor(journal, () -> NOW, PlanExecutor.OnFailure.TAKE_BACK);
  }

  private static PlanExecutor leaving(Journal journal) {
    return new PlanExecutor(journal, () -> NOW, PlanExecutor.OnFailure.LEAVE);
  }

  @Test
  void aPlanThatWasKilledAnywhereIsFinishedOrTakenBackByTheNextProcess()
      throws InterruptedException {
    for (String place : FileKnob.FILES) {
      for (boolean before : List.of(true, false)) {
        kill(place, before);
        knob.writes.clear();
        try (Journal journal = Journal.open(file)) {
          JournalEntry last = journal.open().get(0);
          finish(journal, last);
          assertThat(knob.all()).as(place + before).containsExactly(7, 7, 7);
          assertThat(journal.open()).isEmpty();
          assertThat(knob.writes)
              .allMatch(write -> write.charAt(0) >= (char) (place.charAt(0) + (before ? 0 : 1)));
        }
        startAgain();

        kill(place, before);
        try (Journal journal = Journal.open(file)) {
          JournalEntry last = journal.open().get(0);
          takingBack(journal).takeBack(planOf(last), last);
          assertThat(knob.all()).as(place + before).containsExactly(0, 0, 0);
          assertThat(journal.open()).isEmpty();
        }
        startAgain();
      }
    }
  }

  @Test
  void aKnobWithAnOwnerIsRefusedToAnotherWhichIsToldWhoHasIt() {
    try (KnobOwner first = KnobOwner.take(folder, knob, "govern cluster.yaml")) {
      assertThat(first).isNotNull();
      assertThatThrownBy(() -> KnobOwner.take(folder, knob, "study"))
          .hasMessageContaining("process " + ProcessHandle.current().pid())
          .hasMessageContaining("govern cluster.yaml");
    }
    KnobOwner.take(folder, knob, "study").close();
  }

  private void kill(String place, boolean before) throws InterruptedException {
    (before ? knob.killBefore : knob.killAfter).add(place);
    try (Journal journal = Journal.open(file)) {
      assertThatThrownBy(() -> execute(journal, 7)).isInstanceOf(FileKnob.Killed.class);
      assertThat(journal.open()).hasSize(1);
    }
    knob.killBefore.clear();
    knob.killAfter.clear();
  }

  /** The plan as the next process makes it: of the entry's value, from how things were before. */
  private Plan planOf(JournalEntry last) {
    return knob.plan(Integer.parseInt(last.before()), Integer.parseInt(last.value()));
  }

  private void finish(Journal journal, JournalEntry last) throws InterruptedException {
    takingBack(journal).finish(planOf(last), last);
  }

  private void startAgain() {
    try {
      for (String name : FileKnob.FILES) {
        Files.writeString(folder.resolve(name), "0");
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    knob = new FileKnob(folder);
  }

  private JournalEntry execute(Journal journal, int value) throws InterruptedException {
    return takingBack(journal)
        .execute(
            knob.plan(knob.current(), value), knob.current().toString(), Knob.Lifetime.DURABLE);
  }
}
