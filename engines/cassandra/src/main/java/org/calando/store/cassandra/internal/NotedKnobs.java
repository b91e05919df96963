package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.calando.core.FailedWorkException;
import org.calando.core.store.KnobNotes;

/*
 * The claim's row ends with its holder; these rows do not, as they are for whoever comes then. Each has the process that
 * wrote it, and lightweight transactions change it: what a governor that was cut off still sends changes no row of its
 * successor's. There are as many as knobs that are set, as all that are left are restored first.
 */
/** How knobs were, in rows beside the claim of who sets them. Thread safe. */
final class NotedKnobs implements KnobNotes {
  private final CqlSession session;
  private final String keyspace;
  private final String cluster;
  private final String process;

  /** Who wrote those that are not of this process; guarded by this. */
  private final Map<Note, String> others = new HashMap<>();

  /**
   * Reads nothing yet.
   *
   * @param process {@link ThisProcess#name} of the claim
   */
  NotedKnobs(CqlSession session, String keyspace, String cluster, String process) {
    this.session = session;
    this.keyspace = keyspace;
    this.cluster = cluster;
    this.process = process;
  }

  @Override
  public synchronized List<Note> left() {
    List<Note> left = new ArrayList<>();
    String text = Cql.readKnobs(keyspace);
    try {
      for (Row row : session.execute(statement(text, DefaultConsistencyLevel.SERIAL, cluster))) {
        Note note =
            new Note(
                text(row, "knob"),
                text(row, "target"),
                text(row, "before"),
                text(row, "value"),
                text(row, "former"));
        others.put(note, text(row, "process"));
        left.add(note);
      }
    } catch (DriverException e) {
      throw failed("how knobs were before an earlier governor cannot be read", e);
    }
    return left;
  }

  @Override
  public void note(Note note) {
    boolean noted =
        change(
                Cql.renoteKnob(keyspace),
                note.before(),
                note.value(),
                note.former(),
                cluster,
                note.knob(),
                note.target(),
                process)
            || change(
                Cql.noteKnob(keyspace),
                cluster,
                note.knob(),
                note.target(),
                process,
                note.before(),
                note.value(),
                note.former());
    if (!noted) {
      throw new FailedWorkException(
          "another governor has recorded the knob's former value",
          "knob " + note.knob() + " of " + note.target(),
          "end that governor, then start this one again");
    }
  }

  @Override
  public synchronized void forget(Note note) {
    String writer = Objects.requireNonNullElse(others.remove(note), process);
    boolean unused = change(Cql.forgetKnob(keyspace), cluster, note.knob(), note.target(), writer);
  }

  private boolean change(String text, Object... values) {
    try {
      Row answer = session.execute(statement(text, DefaultConsistencyLevel.QUORUM, values)).one();
      return answer != null && answer.getBoolean("[applied]");
    } catch (DriverException e) {
      throw failed("the knobs' former values cannot be recorded", e);
    }
  }

  private static SimpleStatement statement(String text, ConsistencyLevel level, Object... values) {
    return SimpleStatement.newInstance(text, values).setConsistencyLevel(level);
  }

  private static String text(Row row, String column) {
    return Objects.requireNonNullElse(row.getString(column), "");
  }

  private FailedWorkException failed(String what, DriverException e) {
    return new FailedWorkException(
        what + " (" + e.getMessage() + ")",
        "table " + keyspace + "." + Cql.KNOBS,
        "start the nodes that are down: a majority of the keyspace's replicas has to answer",
        e);
  }
}
