package org.calando.knob;

import java.util.Optional;
import org.calando.control.ReadLevelKnob;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ReadFrom;
import org.calando.core.store.ReadRoute;

/**
 * Reads of one node, where one is the master: a choice of 1 is any replica, one of 2 the master,
 * and a share above 1 is that of reads at the master. Thread safe.
 */
final class MasterReads implements ReadLevelKnob.Reads {
  private static final ReadChoice MASTER = ReadChoice.of(2);

  private final Optional<ReadRoute> route;

  /**
   * Begins with reads at the master, which is safe.
   *
   * @param route where; empty where a read has one node to ask, so that nothing is to be set
   */
  MasterReads(Optional<ReadRoute> route) {
    this.route = route;
    route.ifPresent(each -> each.readFrom(ReadFrom.MASTER));
  }

  @Override
  public ReadChoice choice() {
    return route
        .map(
            each ->
                each.readFrom() == ReadFrom.REPLICA
                    ? new ReadChoice(1, each.masterShare())
                    : MASTER)
        .orElse(ReadChoice.of(1));
  }

  @Override
  public void set(ReadChoice next) {
    route.ifPresent(
        each ->
            each.readFrom(
                next.replicas() > 1 ? ReadFrom.MASTER : ReadFrom.REPLICA, next.shareAbove()));
  }

  @Override
  public String words(ReadChoice next) {
    if (route.isEmpty()) {
      return "at the server of each key";
    }
    return next.replicas() > 1
        ? "at the master"
        : "at replicas, a share of " + next.shareAbove() + " at the master";
  }
}
