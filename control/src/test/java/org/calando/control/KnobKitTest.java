package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.core.policy.ReadChoice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnobKitTest {
  @TempDir Path folder;

  private int worlds;

  /** Three files. */
  private KnobKit.World<Integer> files(boolean forgetful) {
    Path files = folder.resolve("files-" + worlds++);
    try {
      Files.createDirectory(files);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new KnobKit.World<>() {
      @Override
      public FileKnob knob() {
        FileKnob knob = new FileKnob(files);
        if (forgetful) {
          knob.keep.add("b");
          knob.remedy = "";
        }
        return knob;
      }

      @Override
      public List<Integer> state() {
        return new FileKnob(files).all();
      }
    };
  }

  @Test
  void aKnobOfSeveralStepsIsCutOffBetweenAnyTwo() throws InterruptedException {
    assertThat(new KnobKit<>(folder, () -> files(false), knob -> 5).check())
        .isEqualTo(2 * FileKnob.FILES.size());
  }

  @Test
  void theLevelOfReadsIsCutOffBeforeAndAfterItIsSet() throws InterruptedException {
    KnobKit<ReadChoice> kit = new KnobKit<>(folder, KnobKitTest::level, knob -> ReadChoice.of(1));
    assertThat(kit.check()).isEqualTo(2);
  }

  private static KnobKit.World<ReadChoice> level() {
    Table table = new Table();
    return new KnobKit.World<>() {
      @Override
      public ReadLevelKnob knob() {
        return new ReadLevelKnob(Table.NAME, table.picker);
      }

      @Override
      public ReadChoice state() {
        return table.picker.choice();
      }
    };
  }

  @Test
  void aKnobThatCannotBeTakenBackIsFound() {
    assertThatThrownBy(() -> new KnobKit<>(folder, () -> files(true), knob -> 5).check())
        .hasMessageContaining("could not be reverted");
  }
}
