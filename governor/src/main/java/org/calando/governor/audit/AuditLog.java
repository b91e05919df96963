package org.calando.governor.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.calando.control.file.LineFiles;
import org.calando.core.CalandoException;

/*
 *   call that changes   line of what it is to do, on the disk --> change, on the disk --> line of what came of it
 *   call that is refused for lack of right   one line, in files of its own: who may do nothing must not push out the
 *                                            lines of those who may; beyond some a minute they are counted only
 *
 * A second line that cannot be written is written before the next first one, which fails for as long as that fails. So a
 * kill leaves at most one call without the second line, as changes are made one after the other. Whether it was done is
 * read from what is in force when the log is opened again.
 */
/**
 * Who changed what by calls, and who was refused: on the disk before the change is made. Thread
 * safe; of one process.
 */
public final class AuditLog implements AutoCloseable {
  private static final long PART_BYTES = 1L << 20;
  private static final int PARTS = 8;
  private static final long REFUSED_PART_BYTES = 1L << 20;
  private static final int REFUSED_PARTS = 2;
  private static final int MOST_REFUSED = 60;
  private static final long MINUTE_MILLIS = 60_000;
  private static final int MOST_UNWRITTEN = 100;

  private static final String ID = "id";
  private static final String OF = "of";
  private static final String REQUEST = "request";
  private static final String OUTCOME = "outcome";
  private static final String DONE = "done";
  private static final String REFUSED = "refused: ";
  private static final String UNWRITTEN = "; that is not on the disk yet";

  private final LineFiles changes;
  private final LineFiles refusals;
  private final InstantSource clock;

  /** What came of calls that is not on the disk yet, by their numbers. */
  private final Map<Long, String> unwritten = new ConcurrentSkipListMap<>();

  // Guarded by this.
  private long last;
  private long minute;
  private int refused;
  private long uncounted;

  /**
   * Who calls. Immutable.
   *
   * @param who name of the token; empty without one
   * @param role of it; empty without one
   * @param address from where
   * @param request names the call
   */
  public record Caller(
      Optional<String> who, Optional<String> role, String address, String request) {}

  private AuditLog(Path folder, InstantSource clock) {
    this.clock = clock;
    this.changes = LineFiles.open(folder.resolve("audit.jsonl"), PART_BYTES, PARTS);
    this.refusals =
        LineFiles.open(folder.resolve("refused.jsonl"), REFUSED_PART_BYTES, REFUSED_PARTS);
  }

  /**
   * Opens it, and says of a call that was cut off whether it was done.
   *
   * @param folder where it is kept
   * @param applied the call whose change is the last in force
   * @throws org.calando.core.FailedWorkException if it cannot be read or written
   */
  public static AuditLog open(Path folder, String applied, InstantSource clock) {
    AuditLog log = new AuditLog(folder, clock);
    log.begin(applied);
    return log;
  }

  private synchronized void begin(String applied) {
    Map<Long, String> open = new LinkedHashMap<>();
    for (ObjectNode line : all()) {
      last = Math.max(last, line.path(ID).asLong());
      if (line.has(OF)) {
        open.remove(line.path(OF).asLong());
      } else if (!line.has(OUTCOME)) {
        open.put(line.path(ID).asLong(), line.path(REQUEST).asText());
      }
    }
    open.forEach(
        (id, request) ->
            unwritten.put(
                id,
                request.equals(applied) ? DONE : "failed: the governor ended before it was done"));
    add(List.of());
  }

  private List<ObjectNode> all() {
    List<ObjectNode> all = new ArrayList<>(changes.read());
    all.addAll(refusals.read());
    all.sort(Comparator.comparingLong(line -> line.path(ID).asLong()));
    return all;
  }

  private ObjectNode line(Caller caller, Optional<String> cluster, String what) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put(ID, ++last).put("at", clock.instant().toString());
    line.put("who", caller.who().orElse(null)).put("role", caller.role().orElse(null));
    line.put("address", caller.address()).put(REQUEST, caller.request());
    return line.put("cluster", cluster.orElse(null)).put("what", what);
  }

  /**
   * Notes what a call is to change.
   *
   * @return to be handed to {@link #done} or {@link #failed}
   * @throws org.calando.core.FailedWorkException if it cannot be written: nothing is to be changed
   */
  public synchronized long begins(
      Caller caller, String cluster, String what, JsonNode before, JsonNode after, String reason) {
    ObjectNode line = line(caller, Optional.of(cluster), what);
    line.set("before", before);
    line.set("after", after);
    long id = last;
    try {
      add(List.of(line.put("reason", reason)));
    } catch (CalandoException e) {
      if (unwritten.size() < MOST_UNWRITTEN) {
        // The line may be there all the same.
        unwritten.put(id, "failed: " + e.problem());
      }
      throw e;
    }
    return id;
  }

  /**
   * The change was made.
   *
   * @return why that could not be written; it is again, before all else
   */
  public Optional<CalandoException> done(long id) {
    return outcome(id, DONE);
  }

  /** It was not; as {@link #done}. */
  public Optional<CalandoException> failed(long id, String why) {
    return outcome(id, "failed: " + why);
  }

  private Optional<CalandoException> outcome(long id, String outcome) {
    unwritten.put(id, outcome);
    return settle();
  }

  /**
   * Writes what came of calls and could not be written before; to be called each second or so.
   *
   * @return why it cannot be yet
   */
  public synchronized Optional<CalandoException> settle() {
    try {
      add(List.of());
      return Optional.empty();
    } catch (CalandoException e) {
      return Optional.of(e);
    }
  }

  /** Adds what came of calls before, and further lines. */
  private void add(List<ObjectNode> more) {
    Map<Long, String> before = new TreeMap<>(unwritten);
    List<ObjectNode> lines = new ArrayList<>();
    before.forEach(
        (id, outcome) ->
            lines.add(
                JsonNodeFactory.instance
                    .objectNode()
                    .put(ID, ++last)
                    .put(OF, id)
                    .put("at", clock.instant().toString())
                    .put(OUTCOME, outcome)));
    lines.addAll(more);
    if (!lines.isEmpty()) {
      changes.add(lines);
      before.keySet().forEach(unwritten::remove);
    }
  }

  /**
   * Notes a call that was refused for lack of right; beyond sixty a minute they are counted, and
   * the next line says how many.
   */
  public synchronized void refused(
      Caller caller, Optional<String> cluster, String what, String why) {
    long now = clock.millis() / MINUTE_MILLIS;
    if (now != minute) {
      minute = now;
      refused = 0;
    }
    if (++refused > MOST_REFUSED) {
      uncounted++;
      return;
    }
    ObjectNode line = line(caller, cluster, what);
    line.putNull("before").putNull("after").putNull("reason");
    String more = uncounted == 0 ? "" : "; " + uncounted + " more were refused before";
    uncounted = 0;
    refusals.add(List.of(line.put(OUTCOME, REFUSED + why + more)));
  }

  /**
   * Calls with greater numbers, the newest last, each with what came of it: null while it is made,
   * and with what cannot be written of it yet. Delays no call.
   *
   * @param id below 0 for all
   * @param most so many: the first after a number; the last where that is below 0, of which at most
   *     half were refused for lack of right: who may do nothing hides no change
   */
  public List<ObjectNode> after(long id, int most) {
    Map<Long, ObjectNode> calls = new LinkedHashMap<>();
    // Before the files: what is written meanwhile is in one of both.
    Map<Long, String> pending = new TreeMap<>(unwritten);
    for (ObjectNode line : all()) {
      if (line.has(OF)) {
        Optional.ofNullable(calls.get(line.path(OF).asLong()))
            .ifPresent(call -> call.put(OUTCOME, line.path(OUTCOME).asText()));
      } else {
        if (!line.has(OUTCOME)) {
          line.putNull(OUTCOME);
        }
        calls.put(line.path(ID).asLong(), line);
      }
    }
    calls.forEach(
        (number, call) -> {
          if (call.path(OUTCOME).isNull() && pending.containsKey(number)) {
            call.put(OUTCOME, pending.get(number) + UNWRITTEN);
          }
        });
    List<ObjectNode> found =
        calls.values().stream().filter(call -> call.path(ID).asLong() > id).toList();
    return id >= 0 ? found.subList(0, Math.min(most, found.size())) : last(found, most);
  }

  private static List<ObjectNode> last(List<ObjectNode> all, int most) {
    Deque<ObjectNode> last = new ArrayDeque<>();
    int refusals = 0;
    for (int i = all.size() - 1; i >= 0 && last.size() < most; i--) {
      boolean isRefused = all.get(i).path(OUTCOME).asText().startsWith(REFUSED);
      if (!isRefused || refusals < most / 2) {
        last.addFirst(all.get(i));
        refusals += isRefused ? 1 : 0;
      }
    }
    return List.copyOf(last);
  }

  @Override
  public synchronized void close() {
    changes.close();
    refusals.close();
  }
}
