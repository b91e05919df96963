package org.calando.core.store;

import java.util.List;
import java.util.Optional;

/**
 * Nodes whose compactions have a limit of their own, which Cassandra calls {@code
 * CompactionThroughputMbPerSec}: an attribute, in MiB/s, of the JMX bean {@code
 * org.apache.cassandra.db:type=StorageService}. Says all that another process needs to reach them,
 * and no secret. Implementations are immutable and thread safe.
 */
public interface CompactionLimits {
  /** JMX of each node, as {@code host:port}, an IPv6 address in brackets; not empty. */
  List<String> jmx();

  /** Who asks; empty where JMX asks for no user. */
  Optional<Login> login();

  /**
   * A user, and where his password is found.
   *
   * @param user name of the user
   * @param password {@code file:} and the absolute path of a file whose first line it is, or {@code
   *     env:} and the name of a variable of the environment
   */
  record Login(String user, String password) {}
}
