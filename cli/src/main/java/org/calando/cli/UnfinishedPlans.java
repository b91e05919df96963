package org.calando.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.calando.clock.RestoreReport;
import org.calando.clock.RestoreReport.Item;
import org.calando.clock.RestoreReport.State;
import org.calando.control.JournalEntry;
import org.calando.control.Lease;
import org.calando.control.file.PlanNotes;
import org.calando.control.file.PlanNotes.Note;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob.Lifetime;
import org.jspecify.annotations.Nullable;

/**
 * Plans of durable knobs, whatever these are, that were begun and not finished, as far as a state
 * folder knows: in journals of its own, and in those that it has a note of, such as those beside
 * inventories. All are only read. Immutable and thread safe.
 *
 * @param state the folder
 */
record UnfinishedPlans(Path state) {
  /** The folder of notes. */
  static final String NOTES = "plans";

  /** A local cluster's are in its folder. */
  private static final int DEPTH = 3;

  private static final String LIST = "plans";

  /** Of a setting without a note: tokens of a ring are many. */
  private static final int MOST_TEXT = 80;

  /** Each with what finishes it; they are nothing to restore. */
  RestoreReport report() {
    List<Item> items = new ArrayList<>();
    Map<Path, Note> notes = notes(items);
    List<Path> files = new ArrayList<>();
    for (String folder : List.of("journals", "local")) {
      try {
        files.addAll(journals(state.resolve(folder)));
      } catch (IOException | UncheckedIOException e) {
        items.add(unlisted(state.resolve(folder), e));
      }
    }
    notes.keySet().stream().filter(file -> !files.contains(file)).forEach(files::add);
    files.forEach(file -> items.addAll(plans(file, notes.get(file))));
    return new RestoreReport(items);
  }

  private Map<Path, Note> notes(List<Item> items) {
    Map<Path, Note> notes = new TreeMap<>();
    Path folder = state.resolve(NOTES);
    try {
      for (Note note : new PlanNotes(folder).all()) {
        if (note.isDamaged()) {
          items.add(
              item(
                  note.file(),
                  LIST,
                  note.file().toString(),
                  "is no note of a plan any more; remove it: gear status and idle status report"
                      + " what is unfinished"));
        } else {
          notes.put(note.journal(), note);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      items.add(unlisted(folder, e));
    }
    return notes;
  }

  private static Item unlisted(Path folder, Exception e) {
    return item(folder, LIST, folder.toString(), "cannot be listed: " + e.getMessage());
  }

  private static List<Path> journals(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder.toAbsolutePath().normalize(), DEPTH)) {
      return files
          .filter(file -> file.toString().endsWith(".journal"))
          .filter(file -> !String.valueOf(file.getFileName()).startsWith("clock-"))
          .sorted()
          .toList();
    }
  }

  private static List<Item> plans(Path file, @Nullable Note note) {
    List<Item> items = new ArrayList<>();
    try {
      if (note != null && !Files.exists(file)) {
        items.add(
            item(
                file,
                LIST,
                file.toString(),
                "is missing, and a plan to %s was recorded in it; if its cluster is gone, remove %s"
                    .formatted(note.to(), note.file())));
      }
      for (JournalEntry last : Lease.unfinished(file)) {
        // Those of leases are the restorer's.
        if (last.lifetime() == Lifetime.DURABLE) {
          items.add(item(file, last, note));
        }
      }
    } catch (FailedWorkException e) {
      items.add(item(file, LIST, file.toString(), String.valueOf(e.getMessage())));
    }
    return items;
  }

  private static Item item(Path file, JournalEntry last, @Nullable Note note) {
    String to = note == null ? last.value() : note.to();
    return item(
        file,
        last.knob(),
        last.target(),
        "a plan to %s, last worked on at %s; %s, or --undo, or --abandon"
            .formatted(
                to.length() > MOST_TEXT ? to.substring(0, MOST_TEXT) + ".." : to,
                last.at(),
                note == null ? "repeat the command that began it with --resume" : note.resume()));
  }

  private static Item item(Path file, String knob, String target, String detail) {
    return new Item(String.valueOf(file.getFileName()), knob, target, State.UNFINISHED, detail);
  }
}
