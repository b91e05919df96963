package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.calando.control.JournalEntry.Event;
import org.calando.control.file.AtomicFiles;
import org.calando.control.file.ExclusiveFile;
import org.calando.control.file.LineChecksum;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00.123456789Z");

  @TempDir Path folder;

  @Test
  void whatWasAppendedIsThereWhenItIsOpenedAgain() {
    Path file = folder.resolve("journal");
    JournalEntry first = entry(1, Knob.Lifetime.LEASED);
    try (Journal journal = Journal.open(file)) {
      journal.append(first);
      journal.append(first.then(NOW, Event.BEGUN, "one", "with \"quotes\",\nlines and ü"));
    }
    try (Journal journal = Journal.open(file)) {
      assertThat(journal.entries())
          .containsExactly(
              first, first.then(NOW, Event.BEGUN, "one", "with \"quotes\",\nlines and ü"));
      assertThat(journal.nextPlan()).isEqualTo(2);
    }
  }

  @Test
  void whatAKillLeftOfTheLastLineIsCutOffWhereverItFell() throws IOException {
    Path whole = folder.resolve("whole");
    JournalEntry first = entry(1, Knob.Lifetime.LEASED);
    try (Journal journal = Journal.open(whole)) {
      journal.append(first);
    }
    byte[] bytes = Files.readAllBytes(whole);
    for (int length = 0; length < bytes.length; length++) {
      Path torn = folder.resolve("torn-" + length);
      Files.write(torn, java.util.Arrays.copyOf(bytes, length));
      try (Journal journal = Journal.open(torn)) {
        assertThat(journal.entries()).isEmpty();
        journal.append(first);
      }
      assertThat(Files.readAllBytes(torn)).isEqualTo(bytes);
    }
  }

  @Test
  void whatAFullDiskLeftOfALineDoesNotSpoilTheNext() throws IOException {
    Path file = folder.resolve("journal");
    JournalEntry first = entry(1, Knob.Lifetime.LEASED);
    JournalEntry next = first.then(NOW, Event.UNDONE, "one", "");
    ExclusiveFile opened = ExclusiveFile.open(file).orElseThrow();
    try (Journal journal = Journal.open(file, opened, 1 << 20)) {
      journal.append(first);
      // Of a line that failed when the disk was full.
      opened.channel().write(StandardCharsets.UTF_8.encode("{\"at\":\"2026-11-21T12:00"));
      journal.append(next);
    }
    try (Journal journal = Journal.open(file)) {
      assertThat(journal.entries()).containsExactly(first, next);
    }
  }

  @Test
  void aLeasedKnobIsOpenUntilItIsTakenBackADurableOneUntilItIsInForce() {
    try (Journal journal = Journal.open(folder.resolve("journal"))) {
      JournalEntry leased = entry(1, Knob.Lifetime.LEASED);
      JournalEntry durable = entry(2, Knob.Lifetime.DURABLE);
      journal.append(leased);
      journal.append(durable);
      assertThat(journal.open()).extracting(JournalEntry::plan).containsExactly(1L, 2L);
      journal.append(leased.then(NOW, Event.IN_FORCE, "", ""));
      journal.append(durable.then(NOW, Event.IN_FORCE, "", ""));
      assertThat(journal.open()).extracting(JournalEntry::plan).containsExactly(1L);
      journal.append(leased.then(NOW, Event.TAKEN_BACK, "", ""));
      assertThat(journal.open()).isEmpty();
    }
  }

  @Test
  void aSecondProcessIsRefused() {
    Path file = folder.resolve("journal");
    try (Journal first = Journal.open(file)) {
      assertThat(first.entries()).isEmpty();
      assertThatThrownBy(() -> Journal.open(file))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("another process has the journal open");
    }
  }

  /** The kernel drops a lock when its process closes any descriptor of the file. */
  @Test
  void aSecondProcessIsRefusedAlsoAfterTheFirstHasReadTheFileAndTurnedAwayAnother()
      throws IOException, InterruptedException {
    Path file = folder.resolve("journal");
    FileKnob knob = new FileKnob(folder);
    try (Journal journal = Journal.open(file);
        KnobOwner owner = KnobOwner.take(folder, knob, "first")) {
      assertThat(journal.entries()).isEmpty();
      assertThat(owner).isNotNull();
      assertThatThrownBy(() -> Journal.open(file)).isInstanceOf(FailedWorkException.class);
      assertThatThrownBy(() -> KnobOwner.take(folder, knob, "second"))
          .hasMessageContaining("first");
      assertThat(inAnotherProcess(file)).isEqualTo("journal refused, knob refused");
    }
    assertThat(inAnotherProcess(file)).isEqualTo("journal opened, knob taken");
  }

  /** A plan that stays in force, and many that are given up, as of a policy that sets often. */
  private static List<JournalEntry> ofMonths(int plans) {
    List<JournalEntry> entries = new ArrayList<>();
    JournalEntry first = entry(1, Knob.Lifetime.LEASED);
    entries.add(first);
    entries.add(first.then(NOW, Event.BEGUN, "one", ""));
    entries.add(first.then(NOW, Event.IN_FORCE, "", ""));
    for (int plan = 2; plan <= plans; plan++) {
      JournalEntry planned = entry(plan, Knob.Lifetime.LEASED);
      entries.add(planned);
      entries.add(planned.then(NOW, Event.BEGUN, "one", "ü"));
      entries.add(planned.then(NOW, Event.GIVEN_UP, "", ""));
    }
    return entries;
  }

  private static Journal compacting(Path file, long bytes) {
    return Journal.openIfFree(file, bytes).orElseThrow();
  }

  @Test
  void aJournalThatPlansWithoutEndStaysSmallAndKeepsWhatIsOpenAndItsNumbers() throws IOException {
    Path file = folder.resolve("journal");
    long most = 0;
    try (Journal journal = compacting(file, 4_000)) {
      long plan = 0;
      for (JournalEntry entry : ofMonths(200)) {
        journal.append(entry);
        plan = Math.max(plan, entry.plan());
        most = Math.max(most, Files.size(file));
        assertThat(journal.nextPlan()).isEqualTo(plan + 1);
        assertThat(journal.begun(1)).hasSizeLessThanOrEqualTo(1);
      }
      assertThat(journal.open()).extracting(JournalEntry::plan).containsExactly(1L);
      assertThat(journal.begun(1)).containsExactly("one");
      assertThat(journal.entries()).hasSizeLessThan(30);
    }
    assertThat(most).isBetween(3_500L, 6_000L);
    try (Journal again = Journal.open(file)) {
      assertThat(again.open()).extracting(JournalEntry::plan).containsExactly(1L);
      assertThat(again.nextPlan()).isEqualTo(201);
    }
    assertThat(folder).isDirectoryContaining(file::equals);
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(1);
    }
  }

  /** As one whose node is away for days, while its lease tries to take it back. */
  @Test
  void anOpenPlanThatFailsAgainAndAgainStaysSmallAndTellsWhatIsBegun() throws IOException {
    Path file = folder.resolve("journal");
    JournalEntry plan = entry(1, Knob.Lifetime.LEASED);
    try (Journal journal = compacting(file, 4_000);
        Journal memory = Journal.inMemory()) {
      for (Journal each : List.of(journal, memory)) {
        each.append(plan);
        for (String step : List.of("one", "two", "three")) {
          each.append(plan.then(NOW, Event.BEGUN, step, ""));
          each.append(plan.then(NOW, Event.DONE, step, ""));
        }
        each.append(plan.then(NOW, Event.UNDONE, "two", ""));
        for (int i = 0; i < 3_000; i++) {
          each.append(plan.then(NOW, Event.FAILED, "three", "is away"));
        }
        assertThat(each.begun(1)).containsExactly("one", "three");
        assertThat(each.open()).containsExactly(plan.then(NOW, Event.FAILED, "three", "is away"));
        assertThat(each.entries()).hasSizeLessThan(1_100);
      }
      assertThat(Files.size(file)).isLessThan(9_000);
    }
    try (Journal again = Journal.open(file)) {
      assertThat(again.begun(1)).containsExactly("one", "three");
      assertThat(again.open()).hasSize(1);
      assertThat(again.nextPlan()).isEqualTo(2);
    }
  }

  /** Before the rename the old file is there, and of the new one as much as was written. */
  @Test
  void whateverAKillLeavesOfACompactionTellsWhatWasTold() throws IOException {
    Path file = folder.resolve("journal");
    Path twin = folder.resolve("never-compacted");
    byte[] old = {};
    byte[] compacted = {};
    try (Journal journal = compacting(file, 2_500);
        Journal whole = compacting(twin, Long.MAX_VALUE)) {
      for (JournalEntry entry : ofMonths(20)) {
        journal.append(entry);
        whole.append(entry);
        if (compacted.length == 0 && Files.size(file) < Files.size(twin)) {
          old = Files.readAllBytes(twin);
          compacted = Files.readAllBytes(file);
        }
      }
    }
    assertThat(compacted.length).isBetween(1, old.length - 1);
    Files.write(file, old);
    List<JournalEntry> open = Journal.openPlans(file);
    assertThat(open).isNotEmpty();
    long next = nextPlan(file);
    Path beside = AtomicFiles.temporary(file);
    for (int written = 0; written <= compacted.length; written++) {
      Files.write(beside, java.util.Arrays.copyOf(compacted, written));
      assertThat(Journal.openPlans(file)).isEqualTo(open);
      assertThat(nextPlan(file)).isEqualTo(next);
      assertThat(beside).doesNotExist();
      assertThat(Files.readAllBytes(file)).isEqualTo(old);
    }
    Files.write(file, compacted);
    assertThat(Journal.openPlans(file)).isEqualTo(open);
    assertThat(nextPlan(file)).isEqualTo(next);
  }

  private static long nextPlan(Path file) {
    try (Journal journal = Journal.open(file)) {
      return journal.nextPlan();
    }
  }

  @Test
  void aSecondProcessIsRefusedAfterACompactionToo() throws IOException, InterruptedException {
    Path file = folder.resolve("journal");
    try (Journal journal = compacting(file, 1)) {
      ofMonths(3).forEach(journal::append);
      assertThat(Journal.openIfFree(file)).isEmpty();
      assertThat(inAnotherProcess(file)).isEqualTo("journal refused, knob taken");
      assertThat(Journal.openPlans(file)).isEqualTo(journal.open());
    }
    assertThat(inAnotherProcess(file)).isEqualTo("journal opened, knob taken");
  }

  @Test
  void aFolderOfDecisionsStaysThisProcesssWhenItTurnsItselfAway()
      throws IOException, InterruptedException {
    try (DecisionJournal first = DecisionJournal.open(folder, "first", () -> NOW)) {
      assertThatThrownBy(() -> DecisionJournal.open(folder, "second", () -> NOW))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("first");
      assertThat(first.failure()).isEmpty();
      assertThat(inAnotherProcess(folder.resolve("lock"))).startsWith("journal refused");
    }
  }

  private static String inAnotherProcess(Path file) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Another.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (InputStream out = process.getInputStream()) {
      String said = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
      assertThat(process.waitFor()).isZero();
      return said;
    }
  }

  /** Another process that wants the journal and the knob. */
  static final class Another {
    private Another() {}

    public static void main(String[] args) {
      Path file = Path.of(args[0]);
      String journal = "opened";
      String knob = "taken";
      try {
        Journal.open(file).close();
      } catch (FailedWorkException e) {
        journal = "refused";
      }
      try {
        KnobOwner.take(file.getParent(), new FileKnob(file.getParent()), "another").close();
      } catch (BadRequestException e) {
        knob = "refused";
      }
      System.out.println("journal " + journal + ", knob " + knob);
    }
  }

  @Test
  void whatAnOwnerNotedIsThereAfterItsDeathAndGoneAfterItsRelease() {
    FileKnob knob = new FileKnob(folder);
    KnobOwner dead = KnobOwner.take(folder, knob, "first");
    dead.note("how it was");
    dead.note("how it was before");
    Path file = KnobOwner.file(folder, knob.id().name(), knob.target());
    assertThat(KnobOwner.files(folder)).containsExactly(file);
    assertThat(KnobOwner.inherit(file)).isEmpty();
    assertThatThrownBy(() -> KnobOwner.take(folder, knob, "second"))
        .hasMessageContaining("first")
        .hasMessageNotContaining("how it was");
    dead.close();

    // looked at, or refused, it stays
    for (int look = 0; look < 2; look++) {
      try (KnobOwner heir = KnobOwner.inherit(file).orElseThrow()) {
        assertThat(heir.former()).contains("first").endsWith("\nhow it was before\n");
      }
      assertThatThrownBy(
              () ->
                  KnobOwner.take(
                      folder,
                      knob,
                      "second",
                      former -> {
                        throw new IllegalStateException(former);
                      }))
          .hasMessageContaining("how it was before");
    }
    KnobOwner.inherit(file).orElseThrow().release();
    try (KnobOwner next = KnobOwner.take(folder, knob, "third")) {
      assertThat(next.former()).isEmpty();
    }
  }

  @Test
  void aFileThatIsNoJournalIsToldWithItsLineAndLeftAlone() throws IOException {
    Path foreign = Files.writeString(folder.resolve("foreign"), "{\"a\": 1}\n");
    assertThatThrownBy(() -> Journal.open(foreign))
        .hasMessageContaining("line 1")
        .hasMessageContaining("it has no checksum");
    assertThat(foreign).hasContent("{\"a\": 1}");

    Path broken = folder.resolve("broken");
    try (Journal journal = Journal.open(broken)) {
      journal.append(entry(1, Knob.Lifetime.LEASED));
    }
    Files.writeString(broken, Files.readString(broken) + "no JSON\n");
    assertThatThrownBy(() -> Journal.open(broken))
        .hasMessageContaining("line 3")
        .hasMessageContaining("it has no checksum");
  }

  @Test
  void aJournalOfAnotherVersionIsRefused() throws IOException {
    Path file = folder.resolve("later");
    String header = "{\"format\":\"calando-journal\",\"version\":3}";
    Files.writeString(file, LineChecksum.add(header) + "\n");
    assertThatThrownBy(() -> Journal.open(file))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("is not a journal of version 2")
        .hasMessageContaining("use the version of Calando that wrote it");
  }

  @Test
  void everyByteThatIsChangedIsFoundAndToldWithItsLineOrIsTheEndOfTheLastLine() throws IOException {
    Path file = written();
    List<JournalEntry> entries = entries(file);
    byte[] whole = Files.readAllBytes(file);
    for (int at = 0; at < whole.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] changed = whole.clone();
        changed[at] ^= (byte) (1 << bit);
        Files.write(file, changed);
        assertThatThrownBy(() -> Journal.openPlans(file))
            .as("byte %s, bit %s", at, bit)
            .isInstanceOf(FailedWorkException.class)
            .hasMessageContaining(file + ", line ")
            .hasMessageContaining("restore the journal, or move it away");
      }
    }
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 1));
    assertThat(entries(file)).isEqualTo(entries.subList(0, entries.size() - 1));
  }

  @Test
  void aChangedDigitIsToldWithBothChecksums() throws IOException {
    Path file = written();
    String whole = Files.readString(file);
    Files.writeString(file, whole.replaceFirst("\"value\":\"2\"", "\"value\":\"3\""));
    assertThatThrownBy(() -> Journal.open(file))
        .hasMessageContaining(file + ", line 2")
        .hasMessageMatching("(?s).*its checksum is [0-9a-f]{8} and that of its text is .*")
        .hasMessageContaining("\"value\":\"3\"");
  }

  /** A journal of a plan that was begun. */
  private Path written() {
    Path file = folder.resolve("journal");
    try (Journal journal = Journal.open(file)) {
      JournalEntry first = entry(1, Knob.Lifetime.LEASED);
      journal.append(first);
      journal.append(first.then(NOW, Event.BEGUN, "one", "ü"));
    }
    return file;
  }

  private static List<JournalEntry> entries(Path file) {
    try (Journal journal = Journal.open(file)) {
      return journal.entries();
    }
  }

  private static JournalEntry entry(long number, Knob.Lifetime lifetime) {
    Plan plan = new Plan("level", "table", "2", List.of());
    return JournalEntry.planned(NOW, number, plan, "1", lifetime);
  }
}
