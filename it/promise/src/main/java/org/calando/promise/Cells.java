package org.calando.promise;

import java.util.List;
import org.calando.promise.Task.Form;

/** All cells. */
final class Cells {
  private static final int FEW = 20;
  private static final int MANY = 10_000;
  private static final String ONE = "ONE";

  private Cells() {}

  static List<Cell> all() {
    return List.of(
        Cell.of("same-session", FEW, ONE, 0.05).sameSession().build(),
        Cell.of("same-session", FEW, ONE, 0.01).sameSession().build(),
        Cell.of("same-session", MANY, ONE, 0.01).sameSession().build(),
        Cell.of("other-session", FEW, ONE, 0.05).otherSession().build(),
        Cell.of("other-session", FEW, "QUORUM", 0.01).otherSession().build(),
        other("other-process", FEW, ONE, 0.20, Form.WRITE, 1),
        other("other-process", FEW, ONE, 0.05, Form.WRITE, 1),
        other("other-process", FEW, ONE, 0.01, Form.WRITE, 1),
        other("other-process", MANY, ONE, 0.01, Form.WRITE, 1),
        other("other-process", FEW, "QUORUM", 0.01, Form.WRITE, 1),
        other("other-process", FEW, "LOCAL_QUORUM", 0.01, Form.WRITE, 1),
        other("other-process", FEW, "", 0.05, Form.WRITE, 1),
        Cell.of("text", FEW, ONE, 0.05).text().build(),
        other("logged-10", FEW, ONE, 0.05, Form.WRITE_LOGGED, 10),
        other("unlogged-10", FEW, ONE, 0.05, Form.WRITE_UNLOGGED, 10),
        other("unlogged-20", 5 * FEW, ONE, 0.05, Form.WRITE_UNLOGGED, 20),
        other("lwt", FEW, ONE, 0.01, Form.WRITE_LWT, 1),
        other("ttl", FEW, ONE, 0.05, Form.WRITE_TTL, 1),
        other("deletes", FEW, ONE, 0.05, Form.WRITE_DELETE, 1),
        Cell.of("quiet", FEW, ONE, 0.05).otherProcess(Form.WRITE, 1).pause(20).build(),
        Cell.of("unlike-keys", FEW, ONE, 0.05).unlikeKeys().build(),
        Cell.of("foreign-all", FEW, ONE, 0.05)
            .otherProcess(Form.WRITE, 1)
            .foreignReader(60, "ALL")
            .build(),
        Cell.of("in-reads", FEW, ONE, 0.05).inReads(20).build(),
        Cell.of("bypassing", FEW, ONE, 0.05)
            .otherProcess(Form.WRITE, 1)
            .foreignReader(200, ONE)
            .build());
  }

  private static Cell other(
      String what, int keys, String level, double promised, Form form, int rows) {
    return Cell.of(what, keys, level, promised).otherProcess(form, rows).build();
  }
}
