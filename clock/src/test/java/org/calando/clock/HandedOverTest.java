package org.calando.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.calando.schema.Types.integer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.calando.core.store.Capable;
import org.calando.core.store.KnobNotes;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobType;
import org.calando.schema.ScalarType;
import org.junit.jupiter.api.Test;

/** What is noted in a cluster while its knob is set. */
class HandedOverTest {
  private static final KnobId<Integer> ID = new KnobId<>("figure", Integer.class);

  private final List<KnobNotes.Note> noted = new ArrayList<>();
  private final KnobNotes notes =
      new KnobNotes() {
        @Override
        public List<Note> left() {
          return List.of();
        }

        @Override
        public void note(Note note) {
          noted.add(note);
        }

        @Override
        public void forget(Note note) {}
      };

  private static final class Figure implements KnobType<Integer>, Knob<Integer> {
    @Override
    public KnobId<Integer> id() {
      return ID;
    }

    @Override
    public String doc() {
      return "A figure.";
    }

    @Override
    public String example() {
      return "[1]";
    }

    @Override
    public ScalarType<Integer> values() {
      return integer(0, 100);
    }

    @Override
    public Optional<Knob<Integer>> bind(Capable cluster) {
      return Optional.of(this);
    }

    @Override
    public String needs() {
      return "nothing";
    }

    @Override
    public Knob<Integer> reach(String target) {
      return this;
    }

    @Override
    public String target() {
      return "nodes";
    }

    @Override
    public Lifetime lifetime() {
      return Lifetime.LEASED;
    }

    @Override
    public Integer current() {
      return 48;
    }

    @Override
    public Plan plan(Integer from, Integer to) {
      return new Plan("figure", target(), to.toString(), List.of());
    }
  }

  @Test
  void changesThatFailKeepTheValueInForceNoted() {
    Figure knob = new Figure();
    KnobAxis<Integer> axis = new KnobAxis<>(knob);
    HandedOver handed = new HandedOver(notes, line -> {});
    handed.note(axis, knob, 48, 16);
    handed.inForce(axis, knob, 16);
    handed.note(axis, knob, 48, 32); // fails
    handed.note(axis, knob, 48, 64); // fails too: nodes that neither has reached have 16
    assertThat(noted)
        .containsExactly(
            new KnobNotes.Note("figure", "nodes", "48", "16", "48"),
            new KnobNotes.Note("figure", "nodes", "48", "32", "16"),
            new KnobNotes.Note("figure", "nodes", "48", "64", "16"));
  }
}
