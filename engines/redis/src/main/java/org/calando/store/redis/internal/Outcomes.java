package org.calando.store.redis.internal;

import org.calando.core.store.Outcome;

/*
 * A server that answers with an error has done nothing, since each request is one command:
 *
 *   LOADING, MASTERDOWN, NOREPLICAS, BUSY, CLUSTERDOWN, TRYAGAIN, READONLY    REFUSED
 *   MOVED, ASK                                                                REFUSED
 *   any other answer                                                          FAILED
 *   no answer                                                                 INDETERMINATE
 *
 * MOVED and ASK name another node of a Redis Cluster: nothing was done, and the next attempt goes where
 * the slot is then. READONLY is what a node says that is no longer the master: the next attempt finds the new one.
 */
/** Tells from a server's error how an operation ended. Stateless and thread safe. */
final class Outcomes {
  private Outcomes() {}

  static Outcome ofError(String error) {
    int blank = error.indexOf(' ');
    String code = blank < 0 ? error : error.substring(0, blank);
    return switch (code) {
      case "LOADING", "MASTERDOWN", "NOREPLICAS", "BUSY", "CLUSTERDOWN", "TRYAGAIN", "READONLY" ->
          Outcome.REFUSED;
      case "MOVED", "ASK" -> Outcome.REFUSED;
      default -> Outcome.FAILED;
    };
  }
}
