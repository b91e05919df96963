package org.calando.power;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;
import org.calando.power.internal.Poller;

/**
 * Tells energy from instruments: one machine's for each distinct {@link PowerSource} of the nodes.
 * Where nodes share a machine its energy is divided among them by CPU time ({@link
 * Provenance#ATTRIBUTED}). Not thread safe.
 */
final class SourceMeter implements Meter {
  /** A controller's sensor records and a long tree are walked once, before the first reading. */
  private static final long OPENING_NANOS = 60_000_000_000L;

  private static final long FIRST_READING_NANOS = 10_000_000_000L;
  private static final double STEPS_DIVIDED = 2.5;

  private final String id;
  private final List<String> names;
  private final List<HostTrack> hosts = new ArrayList<>();
  private final HostTrack[] hostOf;
  private final Poller<PowerSample> poller;
  private final boolean immediate;
  private final MeterInfo info;

  private SourceMeter(
      String id, List<MeteredNode> nodes, Map<PowerSource, PowerProbe> probes, Setting setting) {
    this.id = id;
    names = nodes.stream().map(MeteredNode::name).toList();
    hostOf = new HostTrack[nodes.size()];
    long renewal = probes.values().stream().mapToLong(p -> p.info().renewalNanos()).max().orElse(0);
    long maxStep = longestStep(setting.intervalNanos(), renewal);
    Map<PowerSource, List<Integer>> onHost = onHost(id, nodes);
    List<Poller.Question<PowerSample>> questions = new ArrayList<>();
    onHost.forEach(
        (source, indexes) -> {
          PowerProbe probe = Objects.requireNonNull(probes.get(source));
          HostTrack host =
              new HostTrack(source.describe(), probe, setting.usage(), indexes, maxStep);
          hosts.add(host);
          questions.add(probe::sample);
          indexes.forEach(index -> hostOf[index] = host);
        });
    poller = new Poller<>("calando-meter", questions, setting.ticker());
    immediate = hosts.stream().allMatch(host -> host.probe().info().immediate());
    info = describe(nodes, renewal);
  }

  /** The longest step between readings that is integrated over or divided: a few renewals. */
  static long longestStep(long intervalNanos, long renewalNanos) {
    return (long) (STEPS_DIVIDED * Math.max(intervalNanos, renewalNanos));
  }

  /** What a meter is opened with. */
  private record Setting(UsageSource usage, Ticker ticker, long intervalNanos) {}

  /**
   * Opens the nodes' sources of one kind and reads each once.
   *
   * @throws MeterException if one cannot be read
   */
  static SourceMeter open(
      String id, List<MeteredNode> nodes, UsageSource usage, Ticker ticker, long intervalNanos)
      throws MeterException, InterruptedException {
    Map<PowerSource, PowerProbe> probes = new LinkedHashMap<>();
    SourceMeter meter = null;
    try {
      openAll(onHost(id, nodes).keySet().stream().toList(), ticker, probes);
      meter = new SourceMeter(id, nodes, probes, new Setting(usage, ticker, intervalNanos));
      usage.refresh(ticker.nanos() + FIRST_READING_NANOS).await();
      meter.refresh(ticker.nanos() + FIRST_READING_NANOS).await();
      for (int node = 0; node < nodes.size(); node++) {
        meter.read(node);
      }
      SourceMeter opened = meter;
      meter = null;
      probes.clear();
      return opened;
    } finally {
      if (meter != null) {
        meter.close();
      } else {
        probes.values().forEach(PowerProbe::close);
      }
    }
  }

  /** Opens all at once: a walk through a slow controller's tree takes seconds. */
  private static void openAll(
      List<PowerSource> sources, Ticker ticker, Map<PowerSource, PowerProbe> probes)
      throws MeterException, InterruptedException {
    List<Poller.Question<PowerProbe>> questions = new ArrayList<>();
    sources.forEach(source -> questions.add(deadline -> source.open(ticker)));
    try (Poller<PowerProbe> opening = new Poller<>("calando-meter-open", questions, ticker)) {
      opening.ask(ticker.nanos() + OPENING_NANOS).await();
      MeterException problem = null;
      for (int i = 0; i < sources.size(); i++) {
        Poller.Answer<PowerProbe> answer = opening.answer(i);
        PowerProbe probe = answer.value();
        if (probe != null) {
          probes.put(sources.get(i), probe);
        } else if (problem == null) {
          MeterException why = answer.problem();
          problem =
              why != null
                  ? why
                  : new MeterException(
                      "no answer within a minute", sources.get(i).describe(), "check the network");
        }
      }
      if (problem != null) {
        throw problem;
      }
    }
  }

  private static Map<PowerSource, List<Integer>> onHost(String id, List<MeteredNode> nodes) {
    Map<PowerSource, List<Integer>> onHost = new LinkedHashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      PowerSource source = nodes.get(i).source(id).orElseThrow();
      onHost.computeIfAbsent(source, any -> new ArrayList<>()).add(i);
    }
    return onHost;
  }

  private MeterInfo describe(List<MeteredNode> nodes, long renewalNanos) {
    List<ProbeInfo> infos = hosts.stream().map(host -> host.probe().info()).toList();
    boolean shared = hosts.stream().anyMatch(HostTrack::shared);
    boolean modelled = infos.stream().anyMatch(ProbeInfo::modelled);
    boolean packages = infos.stream().anyMatch(each -> each.scope() == Scope.PACKAGE);
    return new MeterInfo(
        id,
        modelled ? Provenance.MODELLED : shared ? Provenance.ATTRIBUTED : Provenance.MEASURED,
        packages ? Scope.PACKAGE : Scope.HOST,
        infos.stream().map(ProbeInfo::resolution).distinct().collect(Collectors.joining("; ")),
        infos.stream().allMatch(ProbeInfo::cumulative),
        renewalNanos,
        nodes.stream().map(node -> node.source(id).orElseThrow().describe()).toList());
  }

  @Override
  public MeterInfo info() {
    return info;
  }

  @Override
  public boolean immediate() {
    return immediate;
  }

  @Override
  public Refresh refresh(long deadlineNanos) {
    Refresh asked = poller.ask(deadlineNanos);
    return () -> {
      asked.await();
      for (int i = 0; i < hosts.size(); i++) {
        hosts.get(i).take(poller.answer(i));
      }
    };
  }

  @Override
  public EnergyReading read(int node) throws MeterException {
    try {
      return hostOf[node].read(node);
    } catch (MeterException e) {
      throw new MeterException(
          e.what(), "node " + names.get(node) + ", " + e.where(), e.remedy(), e);
    }
  }

  @Override
  public long ownCpuNanos() {
    return poller.ownCpuNanos();
  }

  @Override
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (HostTrack host : hosts) {
      if (host.shared()) {
        notes.add(
            "the energy of a machine with several nodes is divided among them by CPU time;"
                + " everything else that runs on it is in their figures");
        break;
      }
    }
    return notes;
  }

  @Override
  public void close() {
    poller.close();
    hosts.forEach(host -> host.probe().close());
  }
}
