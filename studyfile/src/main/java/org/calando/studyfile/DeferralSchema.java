package org.calando.studyfile;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.share;

import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;
import org.calando.sim.cluster.MasterReplica;
import org.calando.sim.cluster.WriteBuffer;
import org.calando.sim.kernel.Distribution;
import org.calando.studyfile.sim.SimDeferral;

/**
 * What {@code store.sim} may say of writes that come later than their acknowledgements: those of
 * masters and of clients' buffers.
 */
public final class DeferralSchema {
  private static final Key<Distribution> LAG =
      Key.of(
              "lag",
              TimeType.TYPE,
              "From the master's write until it is sent on, of each replica of each write.")
          .byDefault("0ms")
          .example("{mean: 20ms, variation: 1}");
  private static final Key<MasterReplica.From> READS =
      Key.of(
              "reads",
              choice(
                  "a replica to read from",
                  Names.inOrder(
                      "master",
                      MasterReplica.From.MASTER,
                      "replica",
                      MasterReplica.From.REPLICA,
                      "any",
                      MasterReplica.From.ANY)),
              "Whom clients read from: the master, any other, or any.")
          .byDefault("master")
          .example("replica");

  private static final Key<Boolean> PLACEMENT =
      Key.of(
              "placement",
              choice("a placement", Names.inOrder("ring", false, "groups", true)),
              "Where masters are: on a ring every node is the master of some keys; in groups of rf"
                  + " nodes the first is that of all their keys, as of Redis.")
          .byDefault("ring")
          .example("groups");

  public static final ObjectType<MasterReplica> MASTERS =
      ObjectType.named(
              "masters",
              "Asynchronous replication from masters. A level above ONE makes a write wait for so"
                  + " many replicas in all, and a read return the newest of so many; the next"
                  + " replica stands in for a master that is down.")
          .keys(LAG, READS, PLACEMENT)
          .build(
              masters ->
                  new MasterReplica(masters.get(LAG), masters.get(READS), masters.get(PLACEMENT)));

  private static final Key<Integer> WRITES =
      Key.of(
              "writes",
              integer(1, 1 << 24),
              "Writes that fill a buffer; the one that does waits until all are written. Required"
                  + " without matrix.write-buffer.")
          .example("1000");
  private static final Key<Long> AGE =
      Key.of(
              "age",
              duration(1_000, 3_600_000_000_000L),
              "Age of the oldest write at which a buffer is sent, full or not; without it any.")
          .example("1s");
  private static final Key<Double> COST_SHARE =
      Key.of(
              "cost-share",
              share(),
              "What the coordinator's work for a write of a buffer costs, as a share of that for a"
                  + " write by itself.")
          .byDefault("1")
          .example("20%");

  public static final ObjectType<SimDeferral> WRITE_BUFFER =
      ObjectType.named(
              "a write buffer",
              "The buffer that all clients share. Acknowledgements of buffered writes take no time;"
                  + " reads do not look into it. at_risk of results is the mean number of writes"
                  + " that are acknowledged and not on the cluster.")
          .keys(WRITES, AGE, COST_SHARE)
          .check(
              buffer -> {
                if (!buffer.given(WRITES)) {
                  buffer.forbid("given without writes", AGE);
                }
              })
          .build(DeferralSchema::deferral);

  private DeferralSchema() {}

  private static SimDeferral deferral(Values buffer) {
    double costShare = buffer.get(COST_SHARE);
    long age = buffer.find(AGE).orElse(Long.MAX_VALUE);
    return new SimDeferral(
        buffer.find(WRITES).map(writes -> new WriteBuffer(writes, age, costShare)), costShare);
  }
}
