package org.calando.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.calando.clock.RestoreReport;
import org.calando.clock.RestoreReport.Item;
import org.calando.clock.RestoreReport.State;
import org.calando.control.JournalEntry;
import org.calando.control.Lease;
import org.calando.control.OffSetting;
import org.calando.control.Shifter;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.RingTokens;
import org.calando.gears.GearSetting;
import org.jspecify.annotations.Nullable;

/**
 * Plans of durable knobs that were begun and not finished, as far as a state folder has them: those
 * of token layouts, and of local clusters. Journals are only read. Immutable and thread safe.
 *
 * @param state the folder
 */
record UnfinishedPlans(Path state) {
  /** A local cluster's are in its folder. */
  private static final int DEPTH = 3;

  /** A damaged setting is shown as it is. */
  private record Knob(UnaryOperator<String> words, String command) {
    static Knob local(Function<String, Shifter.Setting> parse, String command) {
      return new Knob(value -> parse.apply(value).words(), "./calando " + command);
    }
  }

  private static final Map<String, Knob> KNOBS =
      Map.of(
          "tokens",
          new Knob(
              value -> RingTokens.parse(value).label(), "./calando layout move of that cluster"),
          "gear",
          Knob.local(GearSetting::parse, "gear up --local"),
          "idle-servers",
          Knob.local(OffSetting::parse, "idle up --local"),
          "racks",
          Knob.local(OffSetting::parse, "gear up --local cassandra"));

  /** Each with what finishes it; they are nothing to restore. */
  RestoreReport report() {
    List<Item> items = new ArrayList<>();
    for (Path folder : List.of(state.resolve("journals"), state.resolve("local"))) {
      try {
        journals(folder).forEach(file -> items.addAll(plans(file)));
      } catch (IOException | UncheckedIOException e) {
        items.add(item(folder, "plans", folder.toString(), "cannot be listed: " + e.getMessage()));
      }
    }
    return new RestoreReport(items);
  }

  /** Those of leases are the restorer's. */
  private static List<Path> journals(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder, DEPTH)) {
      return files
          .filter(file -> file.toString().endsWith(".journal"))
          .filter(file -> !String.valueOf(file.getFileName()).startsWith("clock-"))
          .sorted()
          .toList();
    }
  }

  private static List<Item> plans(Path file) {
    List<Item> items = new ArrayList<>();
    try {
      for (JournalEntry last : Lease.unfinished(file)) {
        @Nullable Knob knob = KNOBS.get(last.knob());
        if (knob != null) {
          items.add(item(file, last, knob));
        }
      }
    } catch (FailedWorkException e) {
      items.add(item(file, "plans", file.toString(), String.valueOf(e.getMessage())));
    }
    return items;
  }

  private static Item item(Path file, JournalEntry last, Knob knob) {
    return item(
        file,
        last.knob(),
        last.target(),
        "a plan to %s, last worked on at %s; %s, with --resume, --undo or --abandon"
            .formatted(words(knob, last.value()), last.at(), knob.command()));
  }

  private static String words(Knob knob, String value) {
    try {
      return knob.words().apply(value);
    } catch (IllegalArgumentException e) {
      return value;
    }
  }

  private static Item item(Path file, String knob, String target, String detail) {
    return new Item(String.valueOf(file.getFileName()), knob, target, State.UNFINISHED, detail);
  }
}
