package org.calando.governor.http;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.calando.core.energy.Provenance;
import org.calando.governor.ClusterState;
import org.calando.governor.GovernorService;
import org.calando.governor.Saving;

/** What knobs save, as metrics; what is not known is absent. Stateless. */
final class SavingMetrics {
  private static final String[] LABELS = {"cluster", "end", "provenance"};

  private SavingMetrics() {}

  /** Adds them to a registry. */
  static void register(PrometheusRegistry registry, GovernorService service) {
    gauge(
        registry,
        service,
        "calando_saving_watts",
        "Power that knobs save against nobody setting them: the truth is from low to high.",
        Saving::lowWatts,
        Saving::highWatts);
    gauge(
        registry,
        service,
        "calando_saved_today_joules",
        "Energy that knobs have saved since midnight, of the time in which that is known.",
        saving -> known(saving, saving.lowJoules()),
        saving -> known(saving, saving.highJoules()));
  }

  private static OptionalDouble known(Saving saving, double joules) {
    return saving.knownSeconds() > 0 ? OptionalDouble.of(joules) : OptionalDouble.empty();
  }

  private static void gauge(
      PrometheusRegistry registry,
      GovernorService service,
      String name,
      String help,
      Function<Saving, OptionalDouble> low,
      Function<Saving, OptionalDouble> high) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(LABELS)
        .callback(
            call -> {
              for (ClusterState state : service.states()) {
                state
                    .figures()
                    .saving()
                    .ifPresent(
                        saving -> {
                          end(call, state.name(), "low", low.apply(saving));
                          end(call, state.name(), "high", high.apply(saving));
                        });
              }
            })
        .register(registry);
  }

  private static void end(
      GaugeWithCallback.Callback call, String cluster, String end, OptionalDouble value) {
    value.ifPresent(known -> call.call(known, cluster, end, StateJson.lower(Provenance.MODELLED)));
  }
}
