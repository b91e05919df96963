package org.calando.governor.notify;

import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.calando.core.BadRequestException;
import org.calando.core.time.DaemonThread;
import org.calando.governor.ClusterState;
import org.calando.studyfile.service.NotifySpec;

/**
 * Looks at clusters' states, and posts what is amiss with them and what is over; on threads of its
 * own, so that no decision waits for it. Thread safe.
 */
public final class Notifier implements AutoCloseable {
  private static final long LOOK_SECONDS = 5;

  private final Supplier<List<ClusterState>> states;
  private final InstantSource clock;
  private final AlertWatch watch;
  private final Webhook webhook;
  private final Consumer<String> trouble;
  private final String where;
  private final ScheduledExecutorService thread = DaemonThread.scheduler("calando-notifier");

  private Notifier(
      Supplier<List<ClusterState>> states,
      InstantSource clock,
      AlertWatch watch,
      Webhook webhook,
      Consumer<String> trouble,
      String where) {
    this.trouble = trouble;
    this.where = where;
    this.states = states;
    this.clock = clock;
    this.watch = watch;
    this.webhook = webhook;
  }

  /**
   * Begins.
   *
   * @param states asked each five seconds; is not to block
   * @param trouble takes a line when posting fails or works again
   * @throws BadRequestException if the address cannot be read, or is none
   */
  public static Notifier start(
      NotifySpec spec, Supplier<List<ClusterState>> states, Consumer<String> trouble) {
    URI address = Webhook.address(spec.urlFile());
    Notifier notifier =
        new Notifier(
            states,
            InstantSource.system(),
            new AlertWatch(Duration.ofNanos(spec.afterNanos())),
            new Webhook(address, trouble),
            trouble,
            Webhook.words(address));
    var unused =
        notifier.thread.scheduleAtFixedRate(
            notifier::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    return notifier;
  }

  /**
   * What would be notified, in words; asks nobody.
   *
   * @throws BadRequestException as {@link #start}
   */
  public static String words(NotifySpec spec) {
    return "would post to "
        + Webhook.words(Webhook.address(spec.urlFile()))
        + " what is amiss for "
        + Duration.ofNanos(spec.afterNanos()).toSeconds()
        + " s, and when that is over: promises that are broken, budgets that are spent, shifts that"
        + " fail, knobs that are paused, clusters that are not observed or controlled";
  }

  /** Where is posted to, without what may be secret. */
  public String where() {
    return where;
  }

  private void look() {
    try {
      List<Alert> alerts = watch.look(states.get(), clock.instant());
      if (!alerts.isEmpty()) {
        webhook.send(alerts);
      }
    } catch (RuntimeException e) {
      // A task that throws is not carried out again.
      trouble.accept("what is amiss cannot be told: " + e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    webhook.close();
  }
}
