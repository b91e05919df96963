package org.calando.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.List;
import java.util.Optional;
import org.calando.core.store.GovernorClaim;
import org.calando.core.store.KnobNotes;
import org.calando.store.cassandra.internal.Connector;
import org.calando.store.cassandra.internal.OwnTable;
import org.calando.store.cassandra.internal.TableClaim;

/**
 * A governor's claim on a cluster: a row of the keyspace {@value #KEYSPACE}, taken and renewed by
 * lightweight transactions. Thread safe.
 */
public final class CassandraGovernor implements GovernorClaim {
  /** Created with the replication that the governor's file gives, if it is absent. */
  public static final String KEYSPACE = "calando_governor";

  private final CqlSession driver;
  private final TableClaim claim;
  private final KnobNotes knobs;

  private CassandraGovernor(CqlSession driver, TableClaim claim, KnobNotes knobs) {
    this.driver = driver;
    this.claim = claim;
    this.knobs = knobs;
  }

  /** Connects and claims; see {@link GovernorClaim.Source#claim}. */
  public static GovernorClaim claim(CassandraStoreConfig config) {
    CqlSession driver = Connector.connect(config);
    boolean claimed = false;
    try {
      // Closed by nobody: it holds no claim of its own.
      OwnTable own = new OwnTable(driver, KEYSPACE, config.replication());
      GovernorClaim claim = new CassandraGovernor(driver, own.claimCluster(), own.knobs());
      claimed = true;
      return claim;
    } finally {
      if (!claimed) {
        Connector.close(driver);
      }
    }
  }

  /** Connects and looks; see {@link GovernorClaim.Source#holder}. */
  public static Optional<String> holder(CassandraStoreConfig config) {
    CqlSession driver = Connector.connect(config);
    try {
      return OwnTable.governor(driver, KEYSPACE);
    } finally {
      Connector.close(driver);
    }
  }

  @Override
  public Optional<String> lost() {
    return claim.lost();
  }

  @Override
  public List<Note> left() {
    return knobs.left();
  }

  @Override
  public void note(Note note) {
    knobs.note(note);
  }

  @Override
  public void forget(Note note) {
    knobs.forget(note);
  }

  @Override
  public void close() {
    claim.close();
    Connector.close(driver);
  }
}
