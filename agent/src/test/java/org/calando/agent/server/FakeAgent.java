package org.calando.agent.server;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.calando.agent.AgentNode;
import org.calando.clock.ClockAbilities;
import org.calando.clock.FakeMachine;
import org.calando.clock.FakeTree;
import org.calando.clock.KnobLease;
import org.calando.clock.LeaseFolders;
import org.calando.clock.thread.ProcessCpu;
import org.calando.core.CpuSet;
import org.calando.http.HttpPeer;
import org.calando.http.Listening;
import org.calando.power.agent.AgentSource;

/** An agent of a machine of files, whose time stands still. */
final class FakeAgent implements AutoCloseable {
  final FakeMachine machine;
  final AtomicLong nanos = new AtomicLong();
  final List<String> news = new CopyOnWriteArrayList<>();

  /** What happens before processors are taken. */
  volatile Runnable beforeTaking = () -> {};

  private final Path folder;
  private final AgentServer.Offers offers;
  private final AgentServer server;

  private FakeAgent(Path folder, FakeMachine machine, int port, AgentServer.Offers offers) {
    this.offers = offers;
    this.folder = folder;
    this.machine = machine;
    AgentLeases leases =
        new AgentLeases(
            new AgentLeases.Means(
                machine.machine(),
                owner -> {
                  beforeTaking.run();
                  return machine.begin();
                },
                () -> machine.restore().with(machine.restore(LeaseFolders.in(folder).ofClusters())),
                folder.resolve("fences"),
                new ProcessCpu(Path.of("/proc")),
                new ProcessKnobs(
                    offers.jmx(),
                    owner -> KnobLease.begin(LeaseFolders.in(folder), owner, news::add),
                    LeaseFolders.in(folder).ofClusters()::before,
                    OneAtATime.PATIENCE),
                news::add),
            nanos::get);
    this.server =
        AgentServer.listen(
            Listening.plain("127.0.0.1", port),
            leases,
            () -> ClockAbilities.of(machine.machine()),
            offers);
  }

  static FakeAgent of(Path folder, int cpus) {
    return of(folder, cpus, AgentServer.Offers.of(folder.resolve("powercap")));
  }

  static FakeAgent of(Path folder, int cpus, AgentServer.Offers offers) {
    return new FakeAgent(
        folder, new FakeMachine(folder, FakeTree.Kind.ACPI_CPUFREQ, cpus), 0, offers);
  }

  /** Ends it, and starts another on the same machine and port. */
  FakeAgent again() {
    int port = address().getPort();
    close();
    return new FakeAgent(folder, machine, port, offers);
  }

  AgentNode node(String name, int cpu) {
    return new AgentNode(name, new AgentSource(address(), HttpPeer.Access.NONE), CpuSet.of(cpu));
  }

  URI address() {
    return URI.create(server.address());
  }

  long kiloHertz(int cpu) {
    return Long.parseLong(machine.tree.get(cpu, "scaling_setspeed"));
  }

  @Override
  public void close() {
    server.close();
  }
}
