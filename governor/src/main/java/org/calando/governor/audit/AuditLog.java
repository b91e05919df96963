package org.calando.governor.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.control.file.LineFiles;

/*
 *   call that changes   line of what it is to do, on the disk --> change, on the disk --> line of what came of it
 *   call that is refused for lack of right   one line, in files of its own: who may do nothing must not push out the
 *                                            lines of those who may; beyond some a minute they are counted only
 *
 * A kill leaves at most one call without the second line, as changes are made one after the other. Whether it was done
 * is read from what is in force when the log is opened again.
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

  private static final String ID = "id";
  private static final String OF = "of";
  private static final String REQUEST = "request";
  private static final String OUTCOME = "outcome";
  private static final String DONE = "done";

  private final LineFiles changes;
  private final LineFiles refusals;
  private final InstantSource clock;

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
            outcome(
                id,
                request.equals(applied) ? DONE : "failed: the governor ended before it was done"));
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
    changes.add(List.of(line.put("reason", reason)));
    return last;
  }

  /** The change was made. */
  public synchronized void done(long id) {
    outcome(id, DONE);
  }

  /** It was not. */
  public synchronized void failed(long id, String why) {
    outcome(id, "failed: " + why);
  }

  private void outcome(long id, String outcome) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put(ID, ++last).put(OF, id).put("at", clock.instant().toString()).put(OUTCOME, outcome);
    changes.add(List.of(line));
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
    refusals.add(List.of(line.put(OUTCOME, "refused: " + why + more)));
  }

  /**
   * Calls with greater numbers, the newest last, each with what came of it: null while it is made.
   *
   * @param id below 0 for all
   * @param most so many: the first after a number, the last where that is below 0
   */
  public synchronized List<ObjectNode> after(long id, int most) {
    Map<Long, ObjectNode> calls = new LinkedHashMap<>();
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
    List<ObjectNode> found =
        calls.values().stream().filter(call -> call.path(ID).asLong() > id).toList();
    int surplus = Math.max(0, found.size() - most);
    return id >= 0
        ? found.subList(0, found.size() - surplus)
        : found.subList(surplus, found.size());
  }

  @Override
  public synchronized void close() {
    changes.close();
    refusals.close();
  }
}
