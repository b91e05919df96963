package org.calando.store.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.store.Completion;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.store.redis.internal.Slot.Kind;
import org.junit.jupiter.api.Test;

class SlotTest {
  private final List<String> told = new ArrayList<>();
  private final Completion completion =
      (slot, outcome, version) -> told.add(slot + " " + outcome + " " + version);
  private final Slot slot = new Slot(4);

  @Test
  void theNewestOfSeveralAnswersIsRead() {
    long operation = slot.begin(Kind.READ, completion, 3, 0);
    slot.answered(operation, 7);
    slot.answered(operation, 9);
    assertThat(told).isEmpty();
    slot.answered(operation, 8);
    assertThat(told).containsExactly("4 OK 9");
  }

  @Test
  void aNodeThatLacksTheRecordIsOutvoted() {
    long operation = slot.begin(Kind.READ, completion, 2, 0);
    slot.answered(operation, 7);
    slot.absent(operation);
    assertThat(told).containsExactly("4 OK 7");
  }

  @Test
  void aRecordThatNobodyHasIsNotFound() {
    long operation = slot.begin(Kind.READ, completion, 2, 0);
    slot.absent(operation);
    slot.absent(operation);
    assertThat(told).containsExactly("4 NOT_FOUND " + Session.NO_VERSION);
  }

  @Test
  void aScanHasNoVersion() {
    long operation = slot.begin(Kind.SCAN, completion, 2, 0);
    slot.answered(operation, 7);
    slot.absent(operation);
    assertThat(told).containsExactly("4 OK " + Session.NO_VERSION);
  }

  @Test
  void theFirstFailureEndsAnOperation() {
    long operation = slot.begin(Kind.WRITE, completion, 2, 0);
    slot.failed(operation, Outcome.REFUSED);
    slot.answered(operation, Session.NO_VERSION);
    assertThat(told).containsExactly("4 REFUSED " + Session.NO_VERSION);
  }

  @Test
  void anAnswerToAnEarlierOperationIsIgnored() {
    long first = slot.begin(Kind.READ, completion, 1, 0);
    assertThat(slot.expire(10, 10)).isTrue();
    long second = slot.begin(Kind.READ, completion, 1, 10);
    slot.answered(first, 1);
    slot.answered(second, 2);
    assertThat(told).containsExactly("4 INDETERMINATE " + Session.NO_VERSION, "4 OK 2");
  }

  @Test
  void anOperationInTimeIsLeft() {
    slot.begin(Kind.READ, completion, 1, 0);
    assertThat(slot.expire(9, 10)).isFalse();
    assertThat(told).isEmpty();
  }

  @Test
  void aSlotIsFreeWhenItsCompletionIsTold() {
    Completion next = (index, outcome, version) -> slot.begin(Kind.READ, completion, 1, 0);
    long operation = slot.begin(Kind.READ, next, 1, 0);
    slot.answered(operation, 1);
    assertThatThrownBy(() -> slot.begin(Kind.READ, completion, 1, 0))
        .isInstanceOf(IllegalStateException.class);
  }
}
