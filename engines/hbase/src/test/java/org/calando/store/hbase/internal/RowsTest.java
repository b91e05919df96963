package org.calando.store.hbase.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;
import org.calando.core.store.Session;
import org.calando.core.store.TableSpec;
import org.junit.jupiter.api.Test;

class RowsTest {
  @Test
  void keysInARowAreSpreadEvenlyOverTheRegions() {
    byte[][] splits = Rows.splits(8);
    assertThat(splits).hasNumberOfRows(7);
    int[] found = new int[8];
    Set<String> rows = new HashSet<>();
    for (long key = 0; key < 8_000; key++) {
      byte[] row = Rows.row(key);
      assertThat(row).hasSize(8);
      rows.add(Arrays.toString(row));
      int region = 0;
      while (region < 7 && Arrays.compareUnsigned(row, splits[region]) >= 0) {
        region++;
      }
      found[region]++;
    }
    assertThat(rows).hasSize(8_000);
    for (int count : found) {
      assertThat(count).isBetween(950, 1_050);
    }
    assertThat(Rows.splits(1)).hasNumberOfRows(0);
  }

  @Test
  void aWriteHasItsVersionAsTheTimestampOfEachCell() {
    Rows plain = new Rows(new TableSpec("t", 1, "field"));
    Put one = plain.put(7, Session.ALL_FIELDS, 100, 42);
    assertThat(one.size()).isEqualTo(1);
    Rows wide = new Rows(new TableSpec("t", 10, "field"));
    // Of one field, and of the record's version.
    assertThat(wide.put(7, 3, 100, 42).size()).isEqualTo(2);
    Put all = wide.put(7, Session.ALL_FIELDS, 100, 42);
    assertThat(all.size()).isEqualTo(11);
    all.getFamilyCellMap().values().stream()
        .flatMap(cells -> cells.stream())
        .forEach(cell -> assertThat(cell.getTimestamp()).isEqualTo(42));
    Cell cell = one.getFamilyCellMap().get(Rows.FAMILY).get(0);
    assertThat(cell.getValueLength()).isEqualTo(100);
    assertThat(wide.get(7, 3).getFamilyMap().get(Rows.FAMILY)).hasSize(2);
  }

  @Test
  void valuesThatTheClientWouldRefuseAreRefusedBeforeTheyAreDeferred() {
    Rows rows = new Rows(new TableSpec("t", 1, "field"));
    assertThat(rows.put(1, 0, 3_000_000, 1).size()).isEqualTo(1);
    assertThatThrownBy(() -> rows.put(1, 0, Rows.MOST_VALUE_BYTES + 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
