package org.calando.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {
  private final List<String> closed = new ArrayList<>();

  private AutoCloseable part(String name) {
    return () -> closed.add(name);
  }

  private AutoCloseable failing(String name, Exception why) {
    return () -> {
      closed.add(name);
      throw why;
    };
  }

  @Test
  void eachIsClosedAndTheFirstFailureHasTheOthers() {
    IllegalStateException first = new IllegalStateException("first");
    IOException second = new IOException("second");
    List<AutoCloseable> parts =
        List.of(
            part("a"),
            failing("b", first),
            part("c"),
            failing("d", second),
            () -> {
              closed.add("e");
              throw new StackOverflowError("third");
            },
            failing("f", first),
            part("g"));
    assertThatThrownBy(() -> Closing.all(parts)).isSameAs(first);
    assertThat(closed).containsExactly("a", "b", "c", "d", "e", "f", "g");
    assertThat(first.getSuppressed()).hasSize(2).contains(second);
  }

  @Test
  void anErrorIsThrownAsItIsAndACheckedExceptionAsAnIllegalState() {
    StackOverflowError error = new StackOverflowError();
    AutoCloseable broken =
        () -> {
          throw error;
        };
    assertThatThrownBy(() -> Closing.all(List.of(broken))).isSameAs(error);
    IOException checked = new IOException("checked");
    assertThatThrownBy(() -> Closing.all(List.of(failing("a", checked))))
        .isInstanceOf(IllegalStateException.class)
        .hasCause(checked);
  }

  @Test
  void anInterruptIsKept() {
    assertThatThrownBy(() -> Closing.all(List.of(failing("a", new InterruptedException()))))
        .isInstanceOf(IllegalStateException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
