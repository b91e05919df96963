package org.calando.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.clock.LeaseFolders;
import org.calando.control.order.KnobOrders;
import org.calando.core.FailedWorkException;
import org.calando.core.store.KnobNotes;
import org.calando.knob.Point;
import org.calando.sim.kernel.SimScheduler;
import org.calando.sim.kernel.Simulation;
import org.calando.study.KnobHolder;
import org.calando.studyfile.StudyFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the governor of a machine that is lost had set, seen from another machine. */
@Timeout(120)
class HandedOverKnobTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path folder;
  private Path dial;
  private final Book book = new Book();
  private final List<String> news = new ArrayList<>();
  private KnobOrders orders = KnobOrders.NONE;

  @BeforeEach
  void aDialAtOne() throws IOException {
    dial = folder.resolve("dial");
    set("1");
    System.setProperty(ToyDial.FILE, dial.toString());
  }

  @AfterEach
  void noDial() {
    System.clearProperty(ToyDial.FILE);
  }

  private void set(String value) throws IOException {
    Files.writeString(dial, value + "\n");
  }

  private String dial() {
    try {
      return Files.readString(dial).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the cluster keeps, and how the dial was when it was noted. */
  private final class Book implements KnobNotes {
    private final List<Note> notes = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private boolean fails;
    private int failed;

    @Override
    public List<Note> left() {
      return List.copyOf(notes);
    }

    @Override
    public void note(Note note) {
      if (fails) {
        failed++;
        throw new FailedWorkException("cannot be noted", "the cluster", "start its nodes");
      }
      told.add(dial() + ": " + note.former() + " -> " + note.value());
      notes.removeIf(one -> one.target().equals(note.target()));
      notes.add(note);
    }

    @Override
    public void forget(Note note) {
      told.add(dial() + ": forgotten");
      notes.remove(note);
    }
  }

  private Point control(String control) {
    return StudyFile.readService(file(control), List.of(), folder::resolve)
        .clusters()
        .get(0)
        .control();
  }

  private Path file(String control) {
    try {
      return Files.writeString(
          folder.resolve("govern.yaml"),
          "clusters: [{name: shop, engine: redis, inventory: {nodes: [{name: n1, address:"
              + " 127.0.0.9}]}, control: ["
              + control
              + "]}]\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private KnobHolder govern(String control, Simulation simulation) throws InterruptedException {
    return KnobHolder.start(
        control(control),
        "control",
        new ToyStore(Duration.ZERO),
        new KnobHolder.Means(
            new SimScheduler(simulation),
            SECOND,
            Optional.of(LeaseFolders.in(folder.resolve("state"))),
            "test",
            Optional.of((decision, inForce) -> {}),
            Optional.empty(),
            news::add,
            Optional.of(book),
            orders));
  }

  private KnobNotes.Note note(String before, String value, String former) {
    return new KnobNotes.Note("dial", dial.toString(), before, value, former);
  }

  @Test
  void eachSettingIsNotedBeforeAndForgottenWhenAllIsAsBefore() throws Exception {
    Simulation simulation = new Simulation();
    try (KnobHolder governed = govern("{climb: {most: 3}}", simulation)) {
      simulation.runUntil(5 * SECOND);
      assertThat(dial()).isEqualTo("3");
      assertThat(book.told).containsExactly("1: 1 -> 2", "2: 2 -> 3");
      assertThat(book.notes).containsExactly(note("1", "3", "2"));
      assertThat(governed.failure()).isEmpty();
    }
    assertThat(dial()).isEqualTo("1");
    assertThat(book.notes).isEmpty();
    assertThat(book.told).containsExactly("1: 1 -> 2", "2: 2 -> 3", "1: forgotten");
  }

  @Test
  void whatCannotBeNotedIsNotSet() {
    book.fails = true;
    assertThatThrownBy(() -> govern("{dial: 7}", new Simulation()))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("cannot be noted");
    assertThat(dial()).isEqualTo("1");
  }

  @Test
  void whatALostGovernorHadSetGoesBackToHowItWasBeforeThat() throws Exception {
    for (String left : List.of("5", "4")) {
      set(left);
      book.notes.add(note("2", "5", "4"));
      try (KnobHolder governed = govern("{dial: 5}", new Simulation())) {
        assertThat(dial()).isEqualTo("5");
        assertThat(book.notes).containsExactly(note("2", "5", "2"));
        assertThat(governed.astray()).isEmpty();
      }
      assertThat(dial()).isEqualTo("2");
      assertThat(book.notes).isEmpty();
    }
    assertThat(news)
        .contains(
            "knob dial of " + dial + " is 2 again, as before another governor, which has ended");
  }

  /** Its guard restored it, and somebody set it by hand since. */
  @Test
  void whatWasSetSinceStays() throws Exception {
    set("9");
    book.notes.add(note("2", "5", "4"));
    try (KnobHolder governed = govern("{dial: 7}", new Simulation())) {
      assertThat(book.notes).containsExactly(note("9", "7", "9"));
      assertThat(governed.astray()).isEmpty();
    }
    assertThat(dial()).isEqualTo("9");
  }

  @Test
  void aNoteThatNobodyCanReadKeepsAGovernorFromSettingAnything() {
    book.notes.add(new KnobNotes.Note("other-knob", "x", "2", "5", "4"));
    assertThatThrownBy(() -> govern("{dial: 7}", new Simulation()))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("there is no knob other-knob")
        .hasMessageContaining("set it to 2 by hand");
    assertThat(dial()).isEqualTo("1");
  }

  /** A hold of which no value was given before. */
  private static final class Held implements KnobOrders {
    private Order order = Order.NONE;
    private Runnable changed = () -> {};

    void give(int value) {
      order = new Order(Optional.empty(), Optional.of(String.valueOf(value)), false);
      changed.run();
    }

    @Override
    public Order of(String knob) {
      return order;
    }

    @Override
    public Hearing onChange(Runnable whenChanged) {
      changed = whenChanged;
      return () -> {};
    }
  }

  @Test
  void ordersThatCannotBeSetAreTriedOnceAPeriodHoweverManyThereWere() throws Exception {
    Simulation simulation = new Simulation();
    Held held = new Held();
    orders = held;
    try (KnobHolder governed = govern("{dial: 2}", simulation)) {
      book.fails = true;
      for (int value = 3; value <= 8; value++) {
        held.give(value);
        simulation.runUntil((value - 2) * SECOND / 10);
      }
      assertThat(book.failed).as("once an order").isEqualTo(6);
      simulation.runUntil(10 * SECOND);
      assertThat(book.failed).as("and once a period").isBetween(15, 16);
      book.fails = false;
      simulation.runUntil(12 * SECOND);
      assertThat(dial()).isEqualTo("8");
      assertThat(governed.astray()).isEmpty();
    }
  }
}
