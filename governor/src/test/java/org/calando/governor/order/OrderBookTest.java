package org.calando.governor.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.calando.control.order.KnobOrders;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderBookTest {
  @TempDir Path folder;
  private Instant now = Instant.parse("2026-11-27T12:00:00Z");
  private long nanos = Long.MAX_VALUE - 1; // it may wrap

  private void pass(long seconds) {
    now = now.plusSeconds(seconds);
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  private OrderBook open() {
    return OrderBook.open(Optional.of(folder.resolve("orders.json")), () -> now, () -> nanos);
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
    pass(60);
    assertThat(again.all()).as("at its end, whoever ticks").isEmpty();
    again.tick();
    again.tick();
    assertThat(heard).hasSize(1);
    end.run();
    assertThat(open().all()).isEmpty();
  }

  /**
   * A clock that was wrong is set, or a leap is made up for: a hold is for as long as was meant.
   */
  @Test
  void aTimeOfDayThatJumpsEndsNoOrderUntilTheNextGovernor() {
    OrderBook book = open();
    Ordered hold = order(Ordered.Kind.HOLD, "dial", "4", "r1");
    book.give(hold);
    now = now.plusSeconds(3600);
    book.tick();
    assertThat(book.all()).as("forwards").containsExactly(hold);
    now = now.minusSeconds(7200);
    pass(30);
    book.give(order(Ordered.Kind.PAUSE, "", "", "r2"));
    pass(29);
    assertThat(book.of("shop")).as("backwards").hasSize(2).contains(hold);
    pass(1);
    book.tick();
    assertThat(book.of("shop")).extracting(Ordered::kind).containsExactly(Ordered.Kind.PAUSE);
    pass(29);
    assertThat(book.all()).isNotEmpty();
    now = now.plusSeconds(7200);
    assertThat(open().all()).as("by the time of day, where nothing else is known").isEmpty();
    assertThat(book.all()).isNotEmpty();
  }

  /** It has ended for those that it held, and must not come back by a clock that is set. */
  @Test
  void whatHasEndedDoesNotComeBackWithTheTimeOfDay() {
    OrderBook book = open();
    book.give(order(Ordered.Kind.HOLD, "dial", "4", "r1"));
    pass(60);
    book.tick();
    now = now.minusSeconds(3600);
    assertThat(open().all()).isEmpty();
    assertThat(open().applied()).as("it was done").isEqualTo("r1");
  }

  @Test
  void whatHasEndedAndCannotBeWrittenHasEndedAndIsWrittenLater() throws Exception {
    Path file = folder.resolve("orders.json");
    Path aside = folder.resolve("aside.json");
    OrderBook book = open();
    book.give(order(Ordered.Kind.HOLD, "dial", "4", "r1"));
    List<String> heard = new ArrayList<>();
    Runnable end = book.onChange(() -> heard.add("changed"));
    Files.move(file, aside);
    Path inTheWay = Files.createDirectories(file.resolve("in the way"));
    pass(60);
    book.tick();
    book.tick();
    assertThat(book.all()).isEmpty();
    assertThat(heard).hasSize(1);
    Files.delete(inTheWay);
    Files.delete(file);
    Files.move(aside, file);
    book.tick();
    now = now.minusSeconds(3600);
    assertThat(open().all()).isEmpty();
    assertThat(heard).as("of what ended once").hasSize(1);
    end.run();
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
    assertThat(orders.barred("dial", "n1")).isEmpty();
    book.give(order(Ordered.Kind.PAUSE, "", "", "r1"));
    assertThat(orders.barred("dial", "n1")).as("the decision was before").isEmpty();
    assertThat(orders.of("dial").paused()).contains("paused by ann");
    assertThat(orders.barred("dial", "n1")).contains("paused");
    book.give(order(Ordered.Kind.HOLD, "dial", "4", "r2"));
    assertThat(orders.of("dial"))
        .isEqualTo(new KnobOrders.Order(Optional.empty(), Optional.of("4"), false));
    assertThat(orders.barred("dial", "n1")).contains("held");
    assertThat(orders.of("gear").held()).isEmpty();
    book.give(order(Ordered.Kind.UNDO, "gear", "", "r3"));
    assertThat(orders.of("gear").takesBack()).isTrue();
    assertThat(orders.of("gear").isBarred()).isTrue();
    orders.overruled("dial", Set.of("n1"));
    assertThat(orders.barred("dial", "n1")).contains(ClusterOrders.OVERRULED);
    assertThat(orders.barred("dial", "n2")).contains("held");
    assertThat(orders.of("dial").isBarred()).as("asked for the next decision").isTrue();
    assertThat(orders.barred("dial", "n1")).contains("held");
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
