package org.calando.studyfile;

import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.list;

import java.util.List;
import org.calando.engine.LinkDelay;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Values;
import org.calando.studyfile.sim.SimSchema;

/** What an item of {@code events} may say. */
final class EventSchema {
  private static final int MAX_EVENTS = 100;
  private static final ScalarType<String> NODE = ClockSchema.NODE;

  static final Key<Long> AT =
      Key.of(
              "at",
              duration(0, 86_400_000_000_000L),
              "When, from the begin of the measured window; not before the event above.")
          .mandatory()
          .example("20s");
  static final Key<LinkDelay> LINK_DELAY =
      Key.of(
              "link-delay",
              SimSchema.LINK_DELAY.type(),
              "Delay of messages that nodes send from then on, as in store.local.link-delay.")
          .example("50ms");
  static final Key<String> KILL_NODE =
      Key.of("kill-node", NODE, "Node whose process is killed (SIGKILL).").example("n3");
  static final Key<String> STOP_NODE =
      Key.of(
              "stop-node",
              NODE,
              "Node that is asked to end (SIGTERM; killed after 20 s); later events wait for it.")
          .example("n3");
  static final Key<String> START_NODE =
      Key.of("start-node", NODE, "Node that starts again; later events do not wait for it.")
          .example("n3");

  static final Key<String> SWITCH_OFF =
      Key.of(
              "switch-off",
              NODE,
              "Simulated node that is switched off: others know at once, and it draws the off watts of"
                  + " power.profile.")
          .example("n3");
  static final Key<String> SWITCH_ON =
      Key.of(
              "switch-on",
              NODE,
              "Node that was switched off, here or by store.sim.off, and boots: for boot-seconds it"
                  + " draws boot-watts, then it serves.")
          .example("n3");

  static final ObjectType<EventSpec> ITEM =
      ObjectType.named(
              "an event",
              "Something that happens to the cluster; one change each. Nodes of a simulated cluster serve"
                  + " again at once, and others notice after store.sim.detection.")
          .keys(AT, LINK_DELAY, KILL_NODE, STOP_NODE, START_NODE, SWITCH_OFF, SWITCH_ON)
          .check(
              event ->
                  event.requireExactlyOne(
                      LINK_DELAY, KILL_NODE, STOP_NODE, START_NODE, SWITCH_OFF, SWITCH_ON))
          .build(event -> new EventSpec(event.get(AT), action(event)));

  static final Type<List<EventSpec>> TYPE = list(ITEM, 1, MAX_EVENTS);

  private EventSchema() {}

  private static EventSpec.Action action(Values event) {
    if (event.given(LINK_DELAY)) {
      return new EventSpec.Links(event.get(LINK_DELAY));
    }
    if (event.given(KILL_NODE)) {
      return new EventSpec.Kill(event.get(KILL_NODE));
    }
    if (event.given(SWITCH_OFF)) {
      return new EventSpec.SwitchOff(event.get(SWITCH_OFF));
    }
    if (event.given(SWITCH_ON)) {
      return new EventSpec.SwitchOn(event.get(SWITCH_ON));
    }
    return event.given(STOP_NODE)
        ? new EventSpec.Stop(event.get(STOP_NODE))
        : new EventSpec.Start(event.get(START_NODE));
  }
}
