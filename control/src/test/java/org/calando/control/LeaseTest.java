package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.calando.control.JournalEntry.Event;
import org.calando.control.file.LineChecksum;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Knob.Lifetime;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LeaseTest {
  private static final Shifter.Words WORDS =
      new Shifter.Words("the file", value -> "number " + value, "begin one", "go on");

  @TempDir Path folder;

  private final Figure knob = new Figure("memory", Lifetime.LEASED);
  private final List<String> guarded = new ArrayList<>();

  /** A number in memory, which journals are read before it is written. */
  private final class Figure implements Knob<Integer> {
    private final String target;
    private final Lifetime lifetime;
    private final List<List<Event>> journalled = new ArrayList<>();
    private int value = 1;
    private int refused = -1;
    private boolean stuck;
    private boolean halfway;
    private boolean interrupts;
    private boolean defect;

    private Figure(String target, Lifetime lifetime) {
      this.target = target;
      this.lifetime = lifetime;
    }

    @Override
    public KnobId<Integer> id() {
      return new KnobId<>("number", Integer.class);
    }

    @Override
    public String target() {
      return target;
    }

    @Override
    public Lifetime lifetime() {
      return lifetime;
    }

    @Override
    public Integer current() {
      return value;
    }

    @Override
    public Plan plan(Integer from, Integer to) {
      List<Plan.Action> steps = from.equals(to) ? List.of() : List.of(new Change(from, to));
      return new Plan(id().name(), target(), to.toString(), steps);
    }

    private final class Change implements Plan.Action {
      private final int from;
      private final int to;

      private Change(int from, int to) {
        this.from = from;
        this.to = to;
      }

      @Override
      public String name() {
        return "change";
      }

      @Override
      public String describe() {
        return "set " + to;
      }

      @Override
      public void perform() {
        journalled.add(Lease.unfinished(journal()).stream().map(JournalEntry::event).toList());
        value = halfway ? 99 : to == refused ? value : to;
        if (defect) {
          throw new IllegalStateException("a defect");
        }
        if (interrupts) {
          // Closes the journal at the next line.
          Thread.currentThread().interrupt();
        }
      }

      @Override
      public boolean isDone() {
        return value == to;
      }

      @Override
      public void undo() {
        if (stuck) {
          throw new FailedWorkException("stays", target, "free it");
        }
        value = from;
      }
    }
  }

  private Path journal() {
    return folder.resolve("lease.journal");
  }

  private KnobOwners owners() {
    return KnobOwners.in(folder, "a test");
  }

  private Lease begin(Lifetime lifetime) {
    return lifetime == Lifetime.PROCESS
        ? Lease.ofProcess("a test")
        : Lease.leased(journal(), List.of(folder.resolve("beside")), owners(), this::guard);
  }

  private LeaseGuard guard(Path watched) {
    guarded.add("watches " + watched.getFileName());
    return new LeaseGuard() {
      @Override
      public long pid() {
        return 7;
      }

      @Override
      public void restore() {
        guarded.add("restores, journal " + (Files.exists(watched) ? "left" : "gone"));
      }

      @Override
      public void close() {
        guarded.add("let go, journal " + (Files.exists(watched) ? "left" : "gone"));
      }
    };
  }

  private static void set(Lease lease, Knob<Integer> knob, int to) throws InterruptedException {
    lease.own(knob);
    long unused = lease.set(knob, 1, to, "1");
  }

  @Test
  void eachSettingIsInTheJournalBeforeItIsSetAndTheFirstIsBackAtTheEnd() throws Exception {
    Files.createFile(folder.resolve("beside"));
    try (Lease lease = begin(Lifetime.LEASED)) {
      assertThat(lease.isEmpty()).isTrue();
      set(lease, knob, 5);
      set(lease, knob, 5);
      set(lease, knob, 7);
      assertThat(knob.value).isEqualTo(7);
      // Begun before it was done, beside the one that it replaces.
      assertThat(knob.journalled)
          .containsExactly(List.of(Event.BEGUN), List.of(Event.IN_FORCE, Event.BEGUN));
      List<JournalEntry> open = Lease.unfinished(journal());
      assertThat(open).hasSize(1).isEqualTo(lease.open());
      assertThat(open.get(0).value()).isEqualTo("7");
      assertThat(open.get(0).before()).isEqualTo("1");
      assertThat(open.get(0).lifetime()).isEqualTo(Lifetime.LEASED);
      assertThat(lease.guardPid()).isEqualTo(7);
      assertThat(guarded).containsExactly("watches lease.journal");
    }
    assertThat(knob.value).isEqualTo(1);
    assertThat(guarded).last().isEqualTo("let go, journal gone");
    assertThat(folder).isEmptyDirectory();
  }

  /** As of a policy that has set it for months. */
  @Test
  void aJournalThatHasGrownIsCompactedWhileTheKnobStaysAsItIs() throws Exception {
    try (Lease lease = begin(Lifetime.LEASED)) {
      set(lease, knob, 5);
      StringBuilder former = new StringBuilder(Files.readString(journal()));
      JournalEntry ended = lease.open().get(0);
      assertThat(ended.value()).isEqualTo("5");
      lease.abandon();
      for (int i = 0; i < 6_000; i++) {
        former
            .append(
                LineChecksum.add(
                    ended.then(ended.at(), Event.DONE, "change", "").toJson().toString()))
            .append('\n');
      }
      Files.writeString(journal(), former);
    }
    assertThat(Files.size(journal())).isGreaterThan(1L << 20);
    try (Lease lease = begin(Lifetime.LEASED)) {
      lease.giveUp(lease.open().get(0));
      knob.journalled.clear();
      set(lease, knob, 7);
      set(lease, knob, 8);
      assertThat(knob.value).isEqualTo(8);
      assertThat(knob.journalled).as("set twice, and never put back").hasSize(2);
      assertThat(Files.size(journal())).isLessThan(10_000);
      lease.abandon();
    }
    try (Lease left = Lease.left(journal()).orElseThrow()) {
      assertThat(left.open())
          .singleElement()
          .matches(entry -> entry.value().equals("8") && entry.before().equals("1"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PROCESS", "LEASED"})
  void goingBackByOrderTakesThePlanBack(Lifetime lifetime) throws Exception {
    Figure number = new Figure("memory", lifetime);
    try (Lease lease = begin(lifetime)) {
      set(lease, number, 5);
      set(lease, number, 1);
      assertThat(number.value).isEqualTo(1);
      assertThat(lease.open()).isEmpty();
      set(lease, number, 6);
      assertThat(number.value).isEqualTo(6);
    }
    assertThat(number.value).isEqualTo(1);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void whatEndsWithTheProcessIsWrittenNowhereAndHeldOnce() throws Exception {
    Figure level = new Figure("table", Lifetime.PROCESS);
    try (Lease lease = begin(Lifetime.PROCESS);
        Lease other = Lease.ofProcess("another")) {
      for (int i = 2; i < 1000; i++) {
        set(lease, level, i);
        assertThat(lease.open()).hasSize(1);
      }
      assertThat(folder).isEmptyDirectory();
      assertThatThrownBy(() -> other.own(level))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("held by another owner: a test");
      lease.release(level);
      assertThat(level.value).isEqualTo(1);
      other.own(level);
    }
    assertThat(level.value).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"PROCESS", "LEASED"})
  void whatDoesNotReadBackIsTakenBackToTheFirst(Lifetime lifetime) throws Exception {
    Figure number = new Figure("memory", lifetime);
    try (Lease lease = begin(lifetime)) {
      set(lease, number, 5);
      number.refused = 9;
      assertThatThrownBy(() -> set(lease, number, 9))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("does not read back");
      assertThat(number.value).isEqualTo(1);
      for (int again : List.of(5, 6)) {
        set(lease, number, again);
        assertThat(number.value).isEqualTo(again);
      }
    }
    assertThat(number.value).isEqualTo(1);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void whatSomebodyElseSetAsItIsToBeGoesBackToo() throws Exception {
    try (Lease lease = begin(Lifetime.LEASED)) {
      set(lease, knob, 5);
      knob.value = 6;
      set(lease, knob, 6);
    }
    assertThat(knob.value).isEqualTo(1);
  }

  @Test
  void aSecondOwnerIsRefusedUntilTheFirstHasGivenTheKnobBack() throws Exception {
    try (Lease lease = begin(Lifetime.LEASED);
        Lease other = Lease.leased(folder.resolve("other"), List.of(), owners(), this::guard)) {
      lease.own(knob);
      lease.own(knob);
      assertThatThrownBy(() -> other.own(knob))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("a test");
      lease.release(knob);
      other.own(knob);
      assertThatThrownBy(() -> lease.set(knob, 1, 2, "1"))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> lease.own(new Figure("x", Lifetime.DURABLE)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void anInterruptDoesNotKeepItFromGoingBack() throws Exception {
    Lease lease = begin(Lifetime.LEASED);
    set(lease, knob, 5);
    Thread.currentThread().interrupt();
    lease.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(knob.value).isEqualTo(1);
    assertThat(journal()).doesNotExist();
  }

  @Test
  void theNewestGoesBackFirstAndWhatCannotIsLeftInTheJournal() throws Exception {
    Figure other = new Figure("other", Lifetime.LEASED);
    Lease lease = begin(Lifetime.LEASED);
    set(lease, knob, 5);
    set(lease, other, 6);
    knob.stuck = true;
    assertThatThrownBy(lease::close)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("knob number of memory")
        .hasMessageContaining("./calando restore");
    lease.close();
    assertThat(List.of(knob.value, other.value)).containsExactly(5, 1);
    assertThat(guarded).last().isEqualTo("restores, journal left");

    knob.stuck = false;
    try (Lease left = Lease.left(journal()).orElseThrow()) {
      assertThat(Lease.left(journal())).isEmpty();
      assertThat(left.isEmpty()).isFalse();
      JournalEntry last = left.open().get(0);
      left.takeBack(knob.plan(1, 5), last);
      assertThat(left.open()).isEmpty();
    }
    assertThat(knob.value).isEqualTo(1);
    assertThat(journal()).exists();
  }

  @Test
  void whatAFailedSettingLeftIsTakenBackWhenTheLeaseEnds() {
    Lease lease = begin(Lifetime.LEASED);
    knob.halfway = true;
    knob.stuck = true;
    assertThatThrownBy(() -> set(lease, knob, 5)).isInstanceOf(FailedWorkException.class);
    assertThat(knob.value).isEqualTo(99);
    knob.stuck = false;
    lease.close();
    assertThat(knob.value).isEqualTo(1);
    assertThat(guarded).last().isEqualTo("let go, journal gone");
  }

  @Test
  void aStepWithADefectIsTakenBackAsAnyOther() throws InterruptedException {
    Lease lease = begin(Lifetime.LEASED);
    knob.halfway = true;
    knob.defect = true;
    assertThatThrownBy(() -> set(lease, knob, 5))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("set 5: java.lang.IllegalStateException: a defect")
        .hasRootCauseInstanceOf(IllegalStateException.class);
    assertThat(knob.value).isEqualTo(1);
    knob.stuck = true;
    assertThatThrownBy(() -> set(lease, knob, 5)).isInstanceOf(FailedWorkException.class);
    knob.stuck = false;
    lease.goBack(knob);
    assertThat(knob.value).as("what an undo that failed left").isEqualTo(1);
    lease.close();
    assertThat(guarded).last().isEqualTo("let go, journal gone");
  }

  @Test
  void aJournalThatTakesNoMoreLinesLeavesNoKnobChanged() {
    Lease lease = begin(Lifetime.LEASED);
    knob.interrupts = true;
    assertThatThrownBy(() -> set(lease, knob, 5)).isInstanceOf(FailedWorkException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(knob.value).isEqualTo(1);
    // What cannot be noted is the guard's to look at.
    assertThatThrownBy(lease::close).isInstanceOf(FailedWorkException.class);
    assertThat(knob.value).isEqualTo(1);
    assertThat(guarded).last().isEqualTo("restores, journal left");
  }

  @Test
  void aLeaseThatNobodyWatchesIsNotBegun() {
    assertThatThrownBy(
            () ->
                Lease.leased(
                    journal(),
                    List.of(),
                    owners(),
                    watched -> {
                      throw new FailedWorkException("no guard", "test", "none");
                    }))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("no guard");
    assertThat(folder).isEmptyDirectory();
  }

  /** Leaves a plan open whose only step failed. */
  private Figure leaveOpen() {
    Figure here = new Figure("here", Lifetime.DURABLE);
    here.refused = 2;
    try (Lease lease = Lease.durable(journal(), owners(), here)) {
      lease.requireNone(WORDS);
      assertThatThrownBy(() -> lease.set(here, 1, 2, "1")).isInstanceOf(FailedWorkException.class);
    }
    here.refused = -1;
    assertThat(Lease.unfinished(journal())).hasSize(1);
    return here;
  }

  private static Plan same(Figure number, JournalEntry last) {
    return number.plan(Integer.valueOf(last.before()), Integer.valueOf(last.value()));
  }

  @Test
  void aDurableKnobStaysAndItsJournalToo() throws Exception {
    Figure here = new Figure("here", Lifetime.DURABLE);
    try (Lease lease = Lease.durable(journal(), owners(), here)) {
      assertThatThrownBy(() -> Lease.durable(journal(), owners(), here))
          .isInstanceOf(BadRequestException.class);
      assertThat(lease.set(here, 1, 2, "1")).isEqualTo(1);
      assertThat(lease.set(here, 2, 3, "2")).isEqualTo(2);
    }
    assertThat(here.value).isEqualTo(3);
    assertThat(Lease.unfinished(journal())).isEmpty();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(2).contains(journal());
    }
  }

  @Test
  void anUnfinishedPlanRefusesAnotherAndIsResumedOnce() throws InterruptedException {
    Figure here = leaveOpen();
    try (Lease lease = Lease.durable(journal(), owners(), here)) {
      assertThatThrownBy(() -> lease.requireNone(WORDS))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("there is an unfinished plan from number 1 to number 2 of ")
          .hasMessageContaining("go on");
      lease.resume(WORDS, last -> same(here, last));
      assertThat(here.value).isEqualTo(2);
      assertThatThrownBy(() -> lease.resume(WORDS, last -> same(here, last)))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("there is no unfinished plan");
    }
  }

  @Test
  void anUnfinishedPlanIsTakenBackOnce() throws InterruptedException {
    Figure here = leaveOpen();
    here.value = 2;
    try (Lease lease = Lease.durable(journal(), owners(), here)) {
      lease.undo(WORDS, last -> same(here, last));
      assertThat(here.value).isEqualTo(1);
      assertThat(Lease.unfinished(journal())).isEmpty();
      assertThatThrownBy(() -> lease.undo(WORDS, last -> same(here, last)))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("there is no unfinished plan");
    }
  }

  @Test
  void aPlanThatIsGivenUpLeavesTheKnobWhereItIs() {
    Figure here = leaveOpen();
    try (Lease lease = Lease.durable(journal(), owners(), here)) {
      lease.giveUp(lease.requireOne(WORDS));
      lease.requireNone(WORDS);
    }
    assertThat(here.value).isEqualTo(1);
  }

  @Test
  void aPlanOfAnotherTargetIsLeftAlone() {
    Figure here = leaveOpen();
    Figure there = new Figure("there", Lifetime.DURABLE);
    try (Lease lease = Lease.durable(journal(), owners(), there)) {
      assertThatThrownBy(() -> lease.resume(WORDS, last -> same(here, last)))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("the unfinished plan is of here, and this is there");
      assertThatThrownBy(() -> lease.undo(WORDS, last -> same(here, last)))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("the unfinished plan is of here, and this is there");
    }
    assertThat(here.value).isEqualTo(1);
    assertThat(Lease.unfinished(journal())).hasSize(1);
  }

  @Test
  void aDryRunChangesNothing() {
    assertThat(Lease.dryRun(knob.plan(1, 5))).containsExactly("set 5");
    assertThat(Lease.dryRun(knob.plan(1, 1))).isEmpty();
    assertThat(knob.value).isEqualTo(1);
    assertThat(folder).isEmptyDirectory();
  }
}
