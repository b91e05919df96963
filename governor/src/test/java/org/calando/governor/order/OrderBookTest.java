package org.calando.governor.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.control.order.KnobOrders;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderBookTest {
  @TempDir Path folder;
  private Instant now = Instant.parse("2026-11-27T12:00:00Z");

  private OrderBook open() {
    return OrderBook.open(Optional.of(folder.resolve("orders.json")), () -> now);
  }

  private Ordered order(Ordered.Kind kind, String of, String value, String request) {
    return new Ordered(
        "shop",
        kind,
        of,
        value,
        now.toEpochMilli(),
        Optional.of(now.plusSeconds(60).toEpochMilli()),
        "ann",
        "a test",
        request);
  }

  @Test
  void ordersOutliveTheGovernorAndEndAtTheirTime() {
    Ordered hold = order(Ordered.Kind.HOLD, "dial", "4", "r1");
    open().give(hold);
    OrderBook again = open();
    assertThat(again.all()).containsExactly(hold);
    assertThat(again.applied()).isEqualTo("r1");
    List<String> heard = new ArrayList<>();
    Runnable end = again.onChange(() -> heard.add("changed"));
    again.tick();
    assertThat(heard).isEmpty();
    now = now.plusSeconds(60);
    assertThat(again.all()).as("at its end, whoever ticks").isEmpty();
    again.tick();
    again.tick();
    assertThat(heard).hasSize(1);
    end.run();
    assertThat(open().all()).isEmpty();
  }

  @Test
  void anOrderTakesThePlaceOfTheOneOfTheSameAndIsTakenBackAlone() {
    OrderBook book = open();
    Ordered pause = order(Ordered.Kind.PAUSE, "", "", "r1");
    book.give(pause);
    book.give(order(Ordered.Kind.HOLD, "dial", "4", "r2"));
    book.give(order(Ordered.Kind.HOLD, "dial", "5", "r3"));
    assertThat(book.of("shop")).extracting(Ordered::value).containsExactly("", "5");
    Ordered undo = order(Ordered.Kind.UNDO, "dial", "", "r4");
    book.give(undo);
    assertThat(book.of("shop")).as("of a knob one thing is ordered").containsExactly(pause, undo);
    book.takeBack(order(Ordered.Kind.HOLD, "dial", "", "r5"));
    assertThat(book.of("shop")).containsExactly(pause);
    assertThat(book.of("other")).isEmpty();
    assertThat(open().applied()).isEqualTo("r5");
  }

  @Test
  void aHoldGoesBeforeAPauseAndAnUndoLeavesTheKnobAsItIs() {
    OrderBook book = open();
    ClusterOrders orders = new ClusterOrders("shop", book);
    assertThat(orders.of("dial")).isEqualTo(KnobOrders.Order.NONE);
    assertThat(orders.barred("dial")).isEmpty();
    book.give(order(Ordered.Kind.PAUSE, "", "", "r1"));
    assertThat(orders.barred("dial")).as("the decision was before").isEmpty();
    assertThat(orders.of("dial").paused()).contains("paused by ann");
    assertThat(orders.barred("dial")).contains("paused");
    book.give(order(Ordered.Kind.HOLD, "dial", "4", "r2"));
    assertThat(orders.of("dial"))
        .isEqualTo(new KnobOrders.Order(Optional.empty(), Optional.of("4"), false));
    assertThat(orders.barred("dial")).contains("held");
    assertThat(orders.of("gear").held()).isEmpty();
    book.give(order(Ordered.Kind.UNDO, "gear", "", "r3"));
    assertThat(orders.of("gear").takesBack()).isTrue();
    assertThat(orders.of("gear").isBarred()).isTrue();
    assertThat(new ClusterOrders("other", book).of("dial")).isEqualTo(KnobOrders.Order.NONE);
  }

  @Test
  void aBookThatWasChangedIsRefusedAndNotForgotten() throws Exception {
    open().give(order(Ordered.Kind.HOLD, "dial", "4", "r1"));
    Path file = folder.resolve("orders.json");
    Files.writeString(file, Files.readString(file).replace("\"4\"", "\"9\""));
    assertThatThrownBy(this::open)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("orders.json")
        .hasMessageContaining("was changed since it was written");
  }

  @Test
  void whatCannotBeWrittenIsNotInForce() throws Exception {
    OrderBook book = open();
    Files.createDirectories(folder.resolve("orders.json/in the way"));
    assertThatThrownBy(() -> book.give(order(Ordered.Kind.HOLD, "dial", "4", "r1")))
        .isInstanceOf(FailedWorkException.class);
    assertThat(book.all()).isEmpty();
  }
}
