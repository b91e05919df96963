package org.calando.studyfile.service;

import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.path;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;

/** The keys of a file that say who is notified when something is amiss. Stateless. */
public final class NotifyKeys {
  private static final Key<Path> URL_FILE =
      Key.of(
              "url-file",
              path("a file"),
              "A file whose first line is the address to post to: https, or http on the loopback;"
                  + " others must not read it. Read when the governor begins.")
          .mandatory()
          .example("secrets/webhook");
  private static final Key<Long> AFTER =
      Key.of(
              "after",
              duration(0, TimeUnit.HOURS.toNanos(1)),
              "How long something is amiss before that is notified.")
          .byDefault("1min")
          .example("5min");

  private static final ObjectType<NotifySpec> WEBHOOK =
      ObjectType.named(
              "a webhook",
              "Is posted JSON in the format of Alertmanager's webhooks, version 4, when a promise is"
                  + " broken, a budget is spent, a shift has failed, a knob is paused, or a cluster"
                  + " is lost, and when that is over.")
          .keys(URL_FILE, AFTER)
          .build(hook -> new NotifySpec(hook.get(URL_FILE), hook.get(AFTER)));

  private static final Key<NotifySpec> HOOK =
      Key.of("webhook", WEBHOOK, "Where notifications are posted to.")
          .mandatory()
          .example("{url-file: secrets/webhook}");

  /** {@code notify}. */
  public static final Key<NotifySpec> NOTIFY =
      Key.of(
              "notify",
              ObjectType.named("notifications", "Who is notified when something is amiss.")
                  .keys(HOOK)
                  .build(notify -> notify.get(HOOK)),
              "Who is notified when something is amiss; without it nobody is.")
          .example("{webhook: {url-file: secrets/webhook}}");

  private NotifyKeys() {}
}
