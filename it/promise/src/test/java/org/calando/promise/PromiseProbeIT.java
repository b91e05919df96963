package org.calando.promise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.calando.promise.Cell.Role;
import org.calando.promise.Task.Form;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The processes and the judge on real Cassandra, where it is known what must come of them. */
class PromiseProbeIT {
  private static final int KEYS_OF_A_FORM = 4;
  private static final double WRITES = 15;

  /** It is not about how fast nodes are: a tenth of what the benchmark has. */
  private static final int WARM_UP = 500;

  @TempDir Path folder;

  /**
   * Whatever writes look like: what is written at QUORUM is never stale at QUORUM, and at times it
   * is at ONE, since the third replica is far.
   */
  @Test
  void quorumsAreNeverStaleAndSingleReplicasAre() throws IOException, InterruptedException {
    List<Form> forms =
        List.of(
            Form.WRITE,
            Form.WRITE_TEXT,
            Form.WRITE_LOGGED,
            Form.WRITE_UNLOGGED,
            Form.WRITE_LWT,
            Form.WRITE_TTL,
            Form.WRITE_DELETE);
    List<Task> writes = new ArrayList<>();
    for (Form form : forms) {
      Keys keys = Keys.every(forms.size(), writes.size(), KEYS_OF_A_FORM);
      boolean batch = form == Form.WRITE_LOGGED || form == Form.WRITE_UNLOGGED;
      writes.add(Task.writes(form.name(), form, WRITES, false, keys, batch ? 2 : 1));
    }
    int count = forms.size() * KEYS_OF_A_FORM;
    Keys all = Keys.all(count);
    Task judged = Task.reads(Cell.JUDGED, 60, true, "", all);
    Task in = new Task(Cell.UNTOUCHED, Form.READ_IN, 10, true, "", all, 2);
    Task text = new Task(Cell.QUORUM, Form.READ_TEXT, 30, false, "QUORUM", all, 1);
    Task quorum = Task.reads(Cell.QUORUM, 30, false, "QUORUM", all);
    Task one = Task.reads(Cell.ONE, 120, false, "ONE", all);
    Cell cell =
        new Cell(
            "all forms",
            count,
            "QUORUM",
            0,
            2,
            List.of(
                new Role("writer", 1, writes),
                new Role("reader", 1, List.of(judged, in)),
                new Role("static", 1, List.of(one, quorum, text))));
    try (ProbeBed bed = ProbeBed.start(ProbeBed.apart(), WARM_UP)) {
      CellRow row = CellRun.run(bed, cell, folder, 3, 12, 1);
      assertThat(row.after().stale().count()).as("adaptive reads").isPositive();
      assertThat(row.start().stale().hits() + row.after().stale().hits())
          .as("stale reads where none is tolerated")
          .isZero();
      assertThat(row.touched()).as("reads of several keys at another level").isZero();
      assertThat(row.quorum().count()).as("reads at QUORUM").isPositive();
      assertThat(row.quorum().hits()).as("stale ones").isZero();
      assertThat(row.one().hits()).as("stale reads at ONE").isPositive();
      assertThat(bed.requests(cell.id())).isPositive();
    }
  }

  @Test
  void aProcessHasNothingOfTheProjectButTheSession() {
    assertThat(ProbeProcess.classPath().split(":", -1))
        .noneMatch(entry -> entry.contains("local/target") || entry.contains("calando-local"))
        .anyMatch(entry -> entry.contains("session"));
  }
}
