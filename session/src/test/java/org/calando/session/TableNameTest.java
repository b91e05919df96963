package org.calando.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableNameTest {
  @Test
  void namesReadAsInCql() {
    assertThat(TableName.parse("Shop.Orders")).isEqualTo(new TableName("shop", "orders"));
    assertThat(TableName.parse("\"Sh.op\".\"Orders\"")).isEqualTo(new TableName("Sh.op", "Orders"));
    assertThat(new TableName("Sh.op", "orders")).hasToString("\"Sh.op\".orders");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "orders", ".orders", "shop.", "\"shop.orders", "shop.or ders"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> TableName.parse(text))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("keyspace.table");
  }
}
