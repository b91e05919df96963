package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.calando.session.internal.shared.SignalRows;
import org.junit.jupiter.api.Test;

class MarkedTableTest {
  @Test
  void theDocumentationHasTheStatementsThatMakeTheTables() throws IOException {
    String page = Files.readString(Path.of("../docs/session.md")).replaceAll("\\s+", " ");
    assertThat(page)
        .contains(
            CanaryTable.MARKED.definition("shop.calando_canary") + ";",
            SignalRows.MARKED.definition("shop.calando_signals") + ";");
  }
}
