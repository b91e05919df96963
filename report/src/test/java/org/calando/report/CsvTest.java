package org.calando.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

class CsvTest {
  @Test
  void quotedCellsHoldCommasQuotesAndLines() {
    assertThat(Csv.parse("a,b\r\n\"x,\"\"y\"\"\nz\",2\r\n", "f"))
        .isEqualTo(List.of(Map.of("a", "x,\"y\"\nz", "b", "2")));
  }

  @Test
  void shortLinesLackCellsAndBlankLinesAreNoRows() {
    assertThat(Csv.parse("a,b\n\n1\n", "f")).isEqualTo(List.of(Map.of("a", "1", "b", "")));
    assertThat(Csv.parse("", "f")).isEmpty();
    assertThat(Csv.parse("a,b", "f")).isEmpty();
  }

  @Test
  void brokenQuotesAreToldWithTheirLine() {
    assertThatThrownBy(() -> Csv.parse("a\n1\n\"2", "f.csv"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("f.csv:3");
    assertThatThrownBy(() -> Csv.parse("a\n\"1\"x\n", "f.csv"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("f.csv:2");
  }
}
