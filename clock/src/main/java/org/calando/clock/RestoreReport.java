package org.calando.clock;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What became of leases that nobody holds any more, and of plans. Immutable and thread safe.
 *
 * @param items each knob of each lease
 */
public record RestoreReport(List<Item> items) {
  /** What became of a knob. */
  public enum State {
    /** It is as it was before the lease. */
    RESTORED,
    /** It would be restored: nothing was done. */
    WOULD_RESTORE,
    /** Its owner lives, or it is being restored: nothing was done. */
    IN_USE,
    /** It is not restored. */
    LEFT,
    /** It is left as it is, by order or because the machine has restarted since. */
    GIVEN_UP,
    /** A durable one, which goes back by nobody's end: a plan of it was begun and not finished. */
    UNFINISHED
  }

  /**
   * One knob of a lease.
   *
   * @param lease the journal's name
   * @param knob its name
   * @param target what it acts on
   * @param state what became of it
   * @param detail how it was before the lease, or why it is not so again
   */
  public record Item(String lease, String knob, String target, State state, String detail) {
    static final String WHOLE_LEASE = "lease";

    /** Whether it stands for all knobs of a lease, which are not known one by one. */
    boolean isWholeLease() {
      return knob.equals(WHOLE_LEASE);
    }

    /** For people. */
    public String line() {
      String what = state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      return (what + " " + knob + " " + target).strip()
          + (detail.isEmpty() ? "" : ": " + detail.lines().findFirst().orElse(""));
    }
  }

  public RestoreReport {
    items = List.copyOf(items);
  }

  /** Whether nothing that should be restored is left. */
  public boolean ok() {
    return items.stream().noneMatch(item -> item.state() == State.LEFT);
  }

  /** Whether that of a lease says what became of a knob, or of all. */
  boolean tells(OwnerNote note) {
    return items.stream()
        .anyMatch(item -> item.isWholeLease() || note.isOf(item.knob(), item.target()));
  }

  /** Both together. */
  public RestoreReport with(RestoreReport other) {
    List<Item> all = new ArrayList<>(items);
    all.addAll(other.items);
    return new RestoreReport(all);
  }

  /** For programs. */
  public ObjectNode json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("ok", ok());
    answer.putArray("knobs");
    for (Item item : items) {
      answer
          .withArray("knobs")
          .addObject()
          .put("lease", item.lease())
          .put("knob", item.knob())
          .put("target", item.target())
          .put("state", item.state().name().toLowerCase(Locale.ROOT))
          .put("detail", item.detail());
    }
    return answer;
  }

  /** For people. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (items.isEmpty()) {
      lines.add("nothing to restore");
    }
    for (Item item : items) {
      lines.add(item.line());
      if (item.state() == State.LEFT) {
        item.detail().lines().skip(1).forEach(lines::add);
      }
    }
    return lines;
  }
}
