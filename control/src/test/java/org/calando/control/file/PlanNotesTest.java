package org.calando.control.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.control.OffKnob;
import org.calando.control.OffSetting;
import org.calando.control.ShiftStep;
import org.calando.control.Shifter;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Plan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanNotesTest {
  @TempDir Path folder;

  private final boolean[] refuses = {true};
  private PlanNotes notes;
  private Path file;

  @BeforeEach
  void keep() {
    notes = new PlanNotes(folder.resolve("state/plans"));
    file = folder.resolve("shop.json");
    notes.keep();
  }

  @AfterEach
  void keepNone() {
    PlanNotes.keepNone();
  }

  /** Whose one step fails as long as it is to. */
  private final class Parts extends Shifter<OffSetting, OffKnob> {
    Parts() {
      super(
          file,
          new OffKnob("parts", "shop", file, () -> OffSetting.ALL_ON, (from, to) -> steps()),
          OffSetting::parse,
          "a test",
          "shop",
          "./calando parts status",
          "./calando parts up --resume");
    }

    void shift(String off) throws InterruptedException {
      set(open -> false, () -> OffSetting.parse(off));
    }
  }

  private Optional<List<Plan.Action>> steps() {
    boolean[] done = {false};
    return Optional.of(
        List.of(
            new ShiftStep(
                "off",
                "Switch off",
                () -> {
                  if (refuses[0]) {
                    throw new FailedWorkException("refuses", "n2", "wait");
                  }
                  done[0] = true;
                },
                () -> done[0],
                ShiftStep.Act.NOTHING)));
  }

  @Test
  void aPlanThatIsNotFinishedIsNotedWhereverItsJournalIs() throws Exception {
    assertThatThrownBy(() -> new Parts().shift("off n2")).hasMessageContaining("refuses");
    Path journal = folder.resolve("shop.json.journal");
    assertThat(notes.all())
        .singleElement()
        .matches(note -> note.journal().equals(journal) && !note.isDamaged())
        .matches(note -> note.to().equals("n2 off"))
        .matches(note -> note.resume().equals("./calando parts up --resume"));
    assertThatThrownBy(() -> new Parts().shift("off n3")).hasMessageContaining("unfinished plan");
    assertThat(notes.all()).extracting(PlanNotes.Note::to).containsExactly("n2 off");
    refuses[0] = false;
    new Parts().resume();
    assertThat(folder.resolve("state/plans")).doesNotExist();
  }

  @Test
  void aPlanThatIsTakenBackOrGivenUpIsNotedNoMore() throws Exception {
    for (boolean undo : List.of(true, false)) {
      assertThatThrownBy(() -> new Parts().shift("off n2")).hasMessageContaining("refuses");
      assertThat(notes.all()).hasSize(1);
      if (undo) {
        new Parts().undo();
      } else {
        new Parts().abandon();
      }
      assertThat(notes.all()).isEmpty();
    }
  }

  @Test
  void whatCannotBeNotedIsShiftedAllTheSame() throws InterruptedException, IOException {
    new PlanNotes(Files.createFile(folder.resolve("full")).resolve("plans")).keep();
    refuses[0] = false;
    new Parts().shift("off n2");
    assertThat(Shifter.unfinished(file)).isEmpty();
  }
}
