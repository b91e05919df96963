package org.calando.studyfile;

import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.share;

import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;
import org.calando.sim.cluster.ServiceTimes;
import org.calando.sim.kernel.Distribution;

/** What {@code store.sim.service} may say: the work of a simulated node. */
public final class ServiceSchema {
  private static final Key<Distribution> CLIENT =
      time("client", "Coordinator: takes a request and answers it.", "0.047ms");
  private static final Key<Distribution> COORDINATOR =
      time("coordinator", "Coordinator: an operation.", "{mean: 0.59ms, variation: 0.25}");
  private static final Key<Distribution> MESSAGE =
      time("message", "Coordinator: each message that it sends to a replica.", "0.01ms");
  private static final Key<Distribution> REPLY =
      time("reply", "Coordinator: each reply, as work that queues by itself.", "0ms");
  private static final Key<Distribution> READ =
      time("read", "Replica: a read of data.", "{mean: 2.42ms, variation: 0.25}");
  private static final Key<Distribution> DIGEST =
      Key.of("digest", TimeType.TYPE, "Replica: a read that it sends a digest of; as read without.")
          .example("2ms");
  private static final Key<Distribution> WRITE =
      time("write", "Replica: a write.", "{mean: 0.46ms, variation: 0.25}");
  private static final Key<Distribution> SCANNED =
      time("scanned-record", "Replica: each record of a scan but the first.", "0.02ms");
  private static final Key<Distribution> DISK =
      time("disk", "Replica: its disk, for a read that misses the caches.", "0ms");
  private static final Key<Double> DISK_SHARE =
      Key.of("disk-share", share(), "Share of reads that do.").byDefault("0").example("5%");
  private static final Key<Integer> DISKS =
      Key.of("disks", integer(1, 10_000), "Reads that a node's disks do at once.")
          .byDefault("1")
          .example("4");

  public static final ObjectType<ServiceTimes> TYPE =
      ObjectType.named(
              "service times",
              "What work costs a core of a simulated node; a node has the cores of power.profile.")
          .keys(
              CLIENT,
              COORDINATOR,
              MESSAGE,
              REPLY,
              READ,
              DIGEST,
              WRITE,
              SCANNED,
              DISK,
              DISK_SHARE,
              DISKS)
          .build(ServiceSchema::build);

  private ServiceSchema() {}

  private static Key<Distribution> time(String name, String doc, String byDefault) {
    return Key.of(name, TimeType.TYPE, doc).byDefault(byDefault).example(byDefault);
  }

  private static ServiceTimes build(Values times) {
    return new ServiceTimes(
        times.get(CLIENT),
        times.get(COORDINATOR),
        times.get(MESSAGE),
        times.get(REPLY),
        times.get(READ),
        times.find(DIGEST).orElseGet(() -> times.get(READ)),
        times.get(WRITE),
        times.get(SCANNED),
        times.get(DISK),
        times.get(DISK_SHARE),
        times.get(DISKS));
  }
}
