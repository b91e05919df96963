package org.calando.governor.http;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.OptionalDouble;
import org.calando.core.observe.PromiseFigure;
import org.calando.governor.ClusterState;
import org.calando.governor.GovernorService;
import org.calando.governor.promise.PromiseState;

/** Promises as Prometheus scrapes them; absent where they are not known. Thread safe. */
final class PromiseMetrics {
  private static final String CLUSTER = "cluster";
  private static final String PROMISE = "promise";
  private static final String END = "end";

  private final GovernorService service;

  PromiseMetrics(GovernorService service) {
    this.service = service;
  }

  /** Adds them to a registry. */
  void register(PrometheusRegistry registry) {
    gauge("calando_promise_limit", "Limit of a promise, in its unit.")
        .labelNames(CLUSTER, PROMISE, "unit")
        .callback(
            call ->
                each(
                    (cluster, state) ->
                        call.call(
                            state.limit(),
                            cluster,
                            state.promise().word(),
                            state.promise().unit())))
        .register(registry);
    gauge("calando_promise_kept", "1 if a promise was kept in the last period, 0 if it was not.")
        .labelNames(CLUSTER, PROMISE)
        .callback(
            call ->
                each(
                    (cluster, state) ->
                        state
                            .kept()
                            .ifPresent(
                                kept -> call.call(kept ? 1 : 0, cluster, state.promise().word()))))
        .register(registry);
    gauge(
            "calando_promise_value",
            "Figure of a promise in the last period, in its unit: the truth is from low to high.")
        .labelNames(CLUSTER, PROMISE, "source", "provenance", END)
        .callback(call -> each((cluster, state) -> value(call, cluster, state)))
        .register(registry);
    gauge(
            "calando_promise_budget_spent_ratio",
            "Stale reads of the window over those that the promise allows.")
        .labelNames(CLUSTER, PROMISE, END)
        .callback(
            call ->
                each(
                    (cluster, state) -> {
                      spent(call, cluster, state, "low", state.account().spentLow());
                      spent(call, cluster, state, "high", state.account().spentHigh());
                    }))
        .register(registry);
    gauge(
            "calando_promise_unknown_ratio",
            "Share of the budget's window in which it is unknown how the promise stood.")
        .labelNames(CLUSTER, PROMISE)
        .callback(
            call ->
                each(
                    (cluster, state) ->
                        call.call(state.account().unknownShare(), cluster, state.promise().word())))
        .register(registry);
    gauge("calando_promise_seconds", "Time of the budget's window by how the promise stood.")
        .labelNames(CLUSTER, PROMISE, "state")
        .callback(
            call ->
                each(
                    (cluster, state) -> {
                      String word = state.promise().word();
                      PromiseState.Account account = state.account();
                      call.call(account.keptSeconds(), cluster, word, "kept");
                      call.call(account.brokenSeconds(), cluster, word, "broken");
                      call.call(account.unknownSeconds(), cluster, word, "unknown");
                    }))
        .register(registry);
  }

  private static void value(GaugeWithCallback.Callback call, String cluster, PromiseState state) {
    state
        .figure()
        .ifPresent(
            figure -> {
              end(call, cluster, state, figure, "low", figure.low());
              end(call, cluster, state, figure, "high", figure.high());
            });
  }

  private static void end(
      GaugeWithCallback.Callback call,
      String cluster,
      PromiseState state,
      PromiseFigure figure,
      String end,
      double value) {
    if (Double.isFinite(value)) {
      call.call(
          value,
          cluster,
          state.promise().word(),
          figure.source(),
          StateJson.lower(figure.kind()),
          end);
    }
  }

  private static void spent(
      GaugeWithCallback.Callback call,
      String cluster,
      PromiseState state,
      String end,
      OptionalDouble spent) {
    spent.ifPresent(ratio -> call.call(ratio, cluster, state.promise().word(), end));
  }

  private static GaugeWithCallback.Builder gauge(String name, String help) {
    return GaugeWithCallback.builder().name(name).help(help);
  }

  /** Takes a promise with its cluster's name. */
  @FunctionalInterface
  private interface OfPromise {
    void take(String cluster, PromiseState state);
  }

  private void each(OfPromise then) {
    for (ClusterState state : service.states()) {
      state
          .promises()
          .ifPresent(
              promises -> promises.states().forEach(promise -> then.take(state.name(), promise)));
    }
  }
}
