package org.calando.power.snmp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.calando.core.energy.Scope;
import org.calando.power.CounterTrack;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.ProbeInfo;
import org.calando.power.Ticker;
import org.calando.power.snmp.FigureChoice.Offer;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;

/** Reads the outlets of one machine together. */
final class SnmpProbe implements PowerProbe {
  private final List<SnmpFeed> feeds;
  private final Ticker ticker;
  private final Map<SnmpDevice, SnmpClient> clients = new LinkedHashMap<>();
  private final List<CounterTrack> tracks = new ArrayList<>();
  private double lastSum;
  private double joules;
  private @Nullable FigureChoice choice;
  private volatile boolean closed;
  private volatile @Nullable CompletableFuture<SnmpAnswers> awaited;

  private SnmpProbe(List<SnmpFeed> feeds, Ticker ticker) {
    this.feeds = feeds;
    this.ticker = ticker;
  }

  /** Asks all devices once, and chooses what to read of them. */
  static SnmpProbe open(SnmpSource source, Ticker ticker) throws MeterException {
    SnmpProbe probe = new SnmpProbe(source.feeds(), ticker);
    boolean opened = false;
    try {
      probe.start();
      opened = true;
      return probe;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SnmpFailures.ended(source.feeds().get(0).device());
    } finally {
      if (!opened) {
        probe.close();
      }
    }
  }

  private void start() throws MeterException, InterruptedException {
    for (SnmpFeed feed : feeds) {
      clients.computeIfAbsent(feed.device(), device -> SnmpClients.join(device, ticker, this));
    }
    for (SnmpClient client : clients.values()) {
      client.connect();
    }
    watch(feed -> Offer.of(feed, new SnmpAnswers(Map.of())).everything());
    long patience = feeds.stream().mapToLong(feed -> feed.device().patienceNanos()).max().orElse(0);
    // Twice: a user's device is asked for its identity and clock before.
    Map<SnmpDevice, SnmpAnswers> answers = ask(ticker.nanos() + 2 * patience);
    List<Offer> offers = new ArrayList<>();
    for (SnmpFeed feed : feeds) {
      offers.add(Offer.of(feed, answersOf(answers, feed)));
    }
    FigureChoice chosen = FigureChoice.of(offers);
    choice = chosen;
    watch(feed -> chosen.figures().get(feeds.indexOf(feed)).live());
    for (int i = 0; chosen.cumulative() && i < feeds.size(); i++) {
      tracks.add(
          new CounterTrack(
              chosen.scales().get(i), chosen.figures().get(i).modulus(), OutletFigure.MAX_WATTS));
    }
  }

  private void watch(Function<SnmpFeed, Set<OID>> oids) {
    clients.forEach(
        (device, client) -> {
          Set<OID> all = new HashSet<>();
          feeds.stream()
              .filter(feed -> feed.device().equals(device))
              .forEach(feed -> all.addAll(oids.apply(feed)));
          client.watch(this, all);
        });
  }

  private static SnmpAnswers answersOf(Map<SnmpDevice, SnmpAnswers> answers, SnmpFeed feed) {
    return answers.getOrDefault(feed.device(), new SnmpAnswers(Map.of()));
  }

  private FigureChoice chosen() {
    FigureChoice known = choice;
    if (known == null) {
      throw new IllegalStateException("the probe was not opened");
    }
    return known;
  }

  @Override
  public ProbeInfo info() {
    long renewalNanos =
        feeds.stream().mapToLong(feed -> feed.device().renewalNanos()).max().orElse(0);
    boolean modelled =
        !chosen().cumulative() && feeds.stream().anyMatch(feed -> feed.device().mib().modelled());
    String sources =
        String.join(
            " and ", feeds.stream().map(feed -> feed.device().mib().source()).distinct().toList());
    String resolution =
        chosen().resolution() + "; " + sources + ", renewed every " + renewalNanos / 1e9 + " s";
    return new ProbeInfo(
        Scope.HOST, resolution, renewalNanos, chosen().cumulative(), false, modelled);
  }

  @Override
  public PowerSample sample(long deadlineNanos) throws MeterException, InterruptedException {
    Map<SnmpDevice, SnmpAnswers> answers = ask(deadlineNanos);
    // All or nothing: a sum without one of the outlets would be too small.
    return chosen().cumulative() ? energy(answers) : power(answers);
  }

  private PowerSample power(Map<SnmpDevice, SnmpAnswers> answers) throws MeterException {
    double watts = 0;
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < feeds.size(); i++) {
      OutletFigure figure = chosen().figures().get(i);
      OutletFigure.Watts shown =
          figure.watts(answersOf(answers, feeds.get(i)), chosen().scales().get(i));
      watts += shown.watts();
      times.add(shown.atNanos());
    }
    if (watts <= 0) {
      throw new MeterException(
          "shows 0 W",
          "outlets "
              + feeds.stream().map(feed -> String.valueOf(feed.outlet())).toList()
              + " of "
              + feeds.get(0).device().where(),
          "check the number of the outlet: a machine that is on draws power");
    }
    return new PowerSample.Power(mean(times), watts);
  }

  private PowerSample energy(Map<SnmpDevice, SnmpAnswers> answers) throws MeterException {
    List<OutletFigure.Count> counts = new ArrayList<>();
    for (int i = 0; i < feeds.size(); i++) {
      counts.add(chosen().figures().get(i).counter(answersOf(answers, feeds.get(i))));
    }
    double sum = 0;
    boolean reset = false;
    for (int i = 0; i < counts.size(); i++) {
      OutletFigure.Count count = counts.get(i);
      PowerSample.Energy step = tracks.get(i).advance(count.atNanos(), count.units());
      sum += step.joules();
      reset |= step.reset();
    }
    // Where one counter started again the others' energy of that time is no sum of all.
    joules += reset ? 0 : sum - lastSum;
    lastSum = sum;
    return new PowerSample.Energy(
        mean(counts.stream().map(OutletFigure.Count::atNanos).toList()), joules, reset);
  }

  private static long mean(List<Long> times) {
    long first = times.get(0);
    return first + times.stream().mapToLong(time -> time - first).sum() / times.size();
  }

  /** Asks all devices at once and waits for each. */
  private Map<SnmpDevice, SnmpAnswers> ask(long deadlineNanos)
      throws MeterException, InterruptedException {
    Map<SnmpDevice, CompletableFuture<SnmpAnswers>> asked = new LinkedHashMap<>();
    for (Map.Entry<SnmpDevice, SnmpClient> client : clients.entrySet()) {
      asked.put(client.getKey(), client.getValue().ask(this, deadlineNanos));
    }
    Map<SnmpDevice, SnmpAnswers> answers = new HashMap<>();
    for (Map.Entry<SnmpDevice, CompletableFuture<SnmpAnswers>> question : asked.entrySet()) {
      answers.put(question.getKey(), await(question.getKey(), question.getValue(), deadlineNanos));
    }
    return answers;
  }

  private SnmpAnswers await(
      SnmpDevice device, CompletableFuture<SnmpAnswers> shared, long deadlineNanos)
      throws MeterException, InterruptedException {
    // A copy: closing this probe must not end the wait of others.
    CompletableFuture<SnmpAnswers> mine = shared.copy();
    awaited = mine;
    if (closed) {
      throw SnmpFailures.ended(device);
    }
    long beganNanos = ticker.nanos();
    try {
      return mine.get(deadlineNanos - beganNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw SnmpFailures.noAnswer(device, ticker.nanos() - beganNanos);
    } catch (ExecutionException e) {
      throw cause(device, e);
    }
  }

  private static MeterException cause(SnmpDevice device, ExecutionException failure) {
    Throwable cause = failure.getCause();
    while (cause != null && !(cause instanceof MeterException) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof MeterException known ? known : SnmpFailures.broken(device, cause);
  }

  @Override
  public void close() {
    closed = true;
    CompletableFuture<SnmpAnswers> waiting = awaited;
    if (waiting != null) {
      waiting.completeExceptionally(SnmpFailures.ended(feeds.get(0).device()));
    }
    for (SnmpDevice device : clients.keySet()) {
      SnmpClients.leave(device, ticker, this);
    }
  }
}
