package org.calando.governor.http;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.calando.core.energy.Provenance;
import org.calando.core.observe.LatencyCounts;
import org.calando.governor.ClusterFigures;
import org.calando.governor.ClusterState;
import org.calando.governor.GovernorService;
import org.calando.governor.sessions.ClusterSessions;
import org.jspecify.annotations.Nullable;

/**
 * The state of a governor as Prometheus scrapes it. A figure that is not known is absent, never 0.
 * Thread safe.
 */
final class Metrics {
  private static final String CLUSTER = "cluster";
  private static final String NODE = "node";
  private static final List<Long> READ_MICROS =
      List.of(500L, 1_000L, 2_000L, 5_000L, 10_000L, 20_000L, 50_000L, 100_000L, 1_000_000L);

  private final GovernorService service;
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final ExpositionFormats formats = ExpositionFormats.init();

  /**
   * Those of a governor.
   *
   * @param viewers how many watch its events
   */
  Metrics(GovernorService service, IntSupplier viewers) {
    this.service = service;
    process();
    gauge("calando_governor_viewers", "Who watches the governor's events.")
        .callback(call -> call.call((double) viewers.getAsInt()))
        .register(registry);
    orders();
    parts();
    nodes();
    accounts();
    knobs();
    considered();
    new PromiseMetrics(service).register(registry);
    SavingMetrics.register(registry, service);
    sessions();
  }

  /**
   * Writes all.
   *
   * @param accept the formats that are wanted, as in a request; null for the usual one
   * @return the format's content type
   */
  String write(@Nullable String accept, OutputStream out) throws IOException {
    ExpositionFormatWriter writer = formats.findWriter(accept);
    writer.write(out, registry.scrape());
    return writer.getContentType();
  }

  private void process() {
    gauge("calando_governor_start_time_seconds", "When the governor began, since the epoch.")
        .callback(call -> call.call(service.begun().toEpochMilli() / 1e3))
        .register(registry);
    counter("process_cpu_seconds_total", "CPU time of the governor's process.")
        .callback(call -> OwnCost.now().cpuSeconds().ifPresent(call::call))
        .register(registry);
    gauge("process_resident_memory_bytes", "Memory of the governor's process in use.")
        .callback(call -> OwnCost.now().residentBytes().ifPresent(call::call))
        .register(registry);
    gauge("calando_governor_heap_bytes", "Memory of the governor's heap in use.")
        .callback(call -> call.call(OwnCost.now().heapBytes()))
        .register(registry);
  }

  private void parts() {
    gauge("calando_cluster_observed", "1 if a cluster is observed, 0 if it cannot be.")
        .labelNames(CLUSTER, "engine")
        .callback(
            call -> each(state -> call.call(one(state.observing()), state.name(), state.engine())))
        .register(registry);
    gauge(
            "calando_cluster_controlled",
            "1 if a cluster's knobs are controlled, 0 if they cannot be.")
        .labelNames(CLUSTER, "engine")
        .callback(
            call ->
                each(
                    state ->
                        state
                            .control()
                            .ifPresent(part -> call.call(one(part), state.name(), state.engine()))))
        .register(registry);
    gauge("calando_cluster_problem", "1 if a part of the cluster's control has a problem, else 0.")
        .labelNames(CLUSTER, "part")
        .callback(
            call ->
                each(
                    state -> {
                      call.call(amiss(state.observing()), state.name(), "observing");
                      state
                          .control()
                          .ifPresent(part -> call.call(amiss(part), state.name(), "control"));
                    }))
        .register(registry);
    counter("calando_cluster_failures_total", "How often observing or control failed.")
        .labelNames(CLUSTER, "part")
        .callback(
            call ->
                each(
                    state -> {
                      call.call((double) state.observing().failures(), state.name(), "observing");
                      state
                          .control()
                          .ifPresent(
                              part -> call.call((double) part.failures(), state.name(), "control"));
                    }))
        .register(registry);
  }

  private void nodes() {
    gauge("calando_node_power_watts", "Power of a node in the last second.")
        .labelNames(CLUSTER, NODE, "meter", "provenance")
        .callback(
            call ->
                eachNode(
                    (state, node, meter) ->
                        node.watts()
                            .ifPresent(
                                watts ->
                                    call.call(
                                        watts,
                                        state.name(),
                                        node.name(),
                                        meter.get(0),
                                        meter.get(1)))))
        .register(registry);
    counter("calando_node_energy_joules_total", "Energy of a node while it was known.")
        .labelNames(CLUSTER, NODE, "meter", "provenance")
        .callback(
            call ->
                eachNode(
                    (state, node, meter) -> {
                      if (state.figures().meter().isPresent()) {
                        // Also before the first: of a counter that begins later no rate is told.
                        call.call(
                            node.joules().orElse(0),
                            state.name(),
                            node.name(),
                            meter.get(0),
                            meter.get(1));
                      }
                    }))
        .register(registry);
    counter("calando_node_requests_total", "Requests of clients that a node answered.")
        .labelNames(CLUSTER, NODE, "kind")
        .callback(
            call ->
                eachNode(
                    (state, node, meter) -> {
                      node.reads()
                          .ifPresent(
                              reads ->
                                  call.call((double) reads, state.name(), node.name(), "read"));
                      node.writes()
                          .ifPresent(
                              writes ->
                                  call.call((double) writes, state.name(), node.name(), "write"));
                    }))
        .register(registry);
  }

  private void accounts() {
    account(
        "calando_accounted_seconds_total",
        "Time with joules and requests of every node.",
        ClusterFigures::accounted);
    account(
        "calando_unknown_seconds_total",
        "Time without joules or requests of a node.",
        ClusterFigures::unknown);
    account(
        "calando_accounted_joules_total", "Energy in the accounted time.", ClusterFigures::joules);
    account(
        "calando_accounted_requests_total",
        "Requests in the accounted time.",
        ClusterFigures::requests);
    gauge("calando_joules_per_kop", "Joules per thousand requests in the last period.")
        .labelNames(CLUSTER)
        .callback(
            call ->
                each(
                    state ->
                        state
                            .figures()
                            .lastPerKop()
                            .ifPresent(value -> call.call(value, state.name()))))
        .register(registry);
  }

  private void account(String name, String help, ToDoubleFunction<ClusterFigures> figure) {
    counter(name, help)
        .labelNames(CLUSTER)
        .callback(
            call -> each(state -> call.call(figure.applyAsDouble(state.figures()), state.name())))
        .register(registry);
  }

  private void knobs() {
    counter("calando_decisions_total", "Decisions of a policy on a knob.")
        .labelNames(CLUSTER, "knob")
        .callback(
            call ->
                eachKnob(
                    (state, knob, targets) ->
                        call.call(
                            targets.stream().mapToDouble(ClusterState.Knob::decisions).sum(),
                            state.name(),
                            knob)))
        .register(registry);
    gauge("calando_knob_paused", "1 while a knob is not set because setting it failed, else 0.")
        .labelNames(CLUSTER, "knob")
        .callback(
            call ->
                eachKnob(
                    (state, knob, targets) ->
                        call.call(
                            targets.stream().anyMatch(one -> one.paused().isPresent()) ? 1 : 0,
                            state.name(),
                            knob)))
        .register(registry);
    gauge("calando_knob_info", "1 for the value at which a knob is held, or the last decided one.")
        .labelNames(CLUSTER, "knob", "target", "choice", "value")
        .callback(
            call ->
                each(
                    state ->
                        state
                            .knobs()
                            .forEach(
                                knob ->
                                    knob.value()
                                        .ifPresent(
                                            value ->
                                                call.call(
                                                    1,
                                                    state.name(),
                                                    knob.knob(),
                                                    knob.target(),
                                                    knob.choice(),
                                                    value)))))
        .register(registry);
  }

  private void orders() {
    gauge("calando_cluster_paused", "1 while an operator has a cluster paused, else 0.")
        .labelNames(CLUSTER)
        .callback(
            call ->
                each(state -> call.call(state.orders().pause().isPresent() ? 1 : 0, state.name())))
        .register(registry);
  }

  private void considered() {
    gauge(
            "calando_considered_saving_watts",
            "Power that a policy's settings would save, by nodes' profiles.")
        .labelNames(CLUSTER, "knob", "target", "provenance")
        .callback(
            call ->
                each(
                    state ->
                        state.considered().stream()
                            .flatMap(considered -> considered.knobs().stream())
                            .forEach(
                                knob ->
                                    knob.savesWatts()
                                        .ifPresent(
                                            watts ->
                                                call.call(
                                                    watts,
                                                    state.name(),
                                                    knob.knob(),
                                                    knob.target(),
                                                    StateJson.lower(Provenance.MODELLED))))))
        .register(registry);
  }

  private void sessions() {
    gauge("calando_cluster_sessions", "Applications' sessions whose levels the governor decides.")
        .labelNames(CLUSTER)
        .callback(call -> eachSessions((name, its) -> call.call((double) its.sessions(), name)))
        .register(registry);
    registry.register(this::readTimes);
  }

  /** Sums of times are not known. */
  private MetricSnapshot readTimes() {
    HistogramSnapshot.Builder all =
        HistogramSnapshot.builder()
            .name("calando_session_read_seconds")
            .help("How long reads of governed sessions took, as their applications saw it.");
    eachSessions(
        (name, its) ->
            all.dataPoint(
                HistogramSnapshot.HistogramDataPointSnapshot.builder()
                    .labels(Labels.of(CLUSTER, name))
                    .classicHistogramBuckets(buckets(its.reads()))
                    .build()));
    return all.build();
  }

  private static ClassicHistogramBuckets buckets(LatencyCounts reads) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    long below = 0;
    for (long most : READ_MICROS) {
      long upTo = reads.upTo(most);
      buckets.bucket(most / 1e6, upTo - below);
      below = upTo;
    }
    return buckets.bucket(Double.POSITIVE_INFINITY, reads.total() - below).build();
  }

  private void eachSessions(BiConsumer<String, ClusterSessions> then) {
    each(state -> service.sessions(state.name()).ifPresent(its -> then.accept(state.name(), its)));
  }

  private static GaugeWithCallback.Builder gauge(String name, String help) {
    return GaugeWithCallback.builder().name(name).help(help);
  }

  private static CounterWithCallback.Builder counter(String name, String help) {
    return CounterWithCallback.builder().name(name).help(help);
  }

  private static double one(ClusterState.Part part) {
    return part.works() ? 1 : 0;
  }

  private static double amiss(ClusterState.Part part) {
    return part.problem().isPresent() ? 1 : 0;
  }

  private void each(Consumer<ClusterState> then) {
    service.states().forEach(then);
  }

  /** Takes a knob with its cluster, and what is known of each of its targets. */
  @FunctionalInterface
  private interface OfKnob {
    void take(ClusterState state, String knob, List<ClusterState.Knob> targets);
  }

  private void eachKnob(OfKnob then) {
    each(
        state ->
            state.knobs().stream()
                .collect(Collectors.groupingBy(ClusterState.Knob::knob))
                .forEach((knob, targets) -> then.take(state, knob, targets)));
  }

  /** Takes a node with its cluster, and the meter of its joules: name and provenance. */
  @FunctionalInterface
  private interface OfNode {
    void take(ClusterState state, ClusterFigures.Node node, List<String> meter);
  }

  private void eachNode(OfNode then) {
    each(
        state -> {
          List<String> meter =
              state
                  .figures()
                  .meter()
                  .map(info -> List.of(info.id(), StateJson.lower(info.provenance())))
                  .orElse(List.of("", ""));
          state.figures().nodes().forEach(node -> then.take(state, node, meter));
        });
  }
}
