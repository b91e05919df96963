package org.calando.store.cassandra.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThisProcessTest {
  @Test
  void aNameIsUsedOnceAndIsOfALivingProcess() {
    String name = ThisProcess.name();
    assertThat(ThisProcess.name()).isNotEqualTo(name);
    assertThat(ThisProcess.hasEnded(name)).isFalse();
  }

  @Test
  void aProcessThatHasEndedIsKnownToHave() throws Exception {
    Process process = new ProcessBuilder("true").start();
    assertThat(process.waitFor()).isZero();
    assertThat(ThisProcess.hasEnded(withPart(1, Long.toString(process.pid())))).isTrue();
  }

  @Test
  void anotherProcessOfTheSameNumberIsNotTheOneThatWas() {
    assertThat(ThisProcess.hasEnded(withPart(2, "12"))).isTrue();
    assertThat(ThisProcess.hasEnded(withPart(2, "2001-01-01T00:00:00Z")))
        .as("noted by another version")
        .isFalse();
    assertThat(ThisProcess.isThis(ThisProcess.name())).isTrue();
    assertThat(ThisProcess.isThis(withPart(2, "12"))).isFalse();
  }

  @Test
  void nothingIsSaidOfOtherMachinesOrOtherTexts() {
    assertThat(ThisProcess.hasEnded(withPart(0, "another-boot/pid:[1]"))).isFalse();
    assertThat(ThisProcess.hasEnded("")).isFalse();
    assertThat(ThisProcess.hasEnded(withPart(1, "x"))).isFalse();
  }

  private static String withPart(int index, String text) {
    String[] parts = ThisProcess.name().split(" ");
    parts[index] = text;
    return String.join(" ", parts);
  }
}
