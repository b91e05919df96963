package org.calando.studyfile;

import static org.calando.schema.Types.distinctList;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.mapped;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.calando.knob.Axis;
import org.calando.knob.DrivenKnob;
import org.calando.knob.Point;
import org.calando.knob.SettingType;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Type;
import org.calando.schema.Values;

/** What {@code matrix.control} may say. */
final class ControlSchema {
  private static final int MAX_ITEMS = 1000;

  /** A policy, or a value that is held. */
  static final Type<Point> SETTING = new SettingType(Axes.OWN_KNOBS, Axes.SERVICES);

  private static final Key<List<Point>> BESIDE =
      Key.of(
              "beside",
              list(SETTING, 1, Axes.KNOBS.size()),
              "Policies of different knobs, each as an item of the matrix's key of its knob; a value"
                  + " that is held may stand among them. Canonically each has its knob before it.")
          .example("[{pbs: {tolerate: 1%}}, {load: {head-room: 20%}}, slack, {gear: 2}]");
  private static final List<Key<Point>> JOINT =
      Axes.JOINT.stream().map(knob -> joint(knob.axis())).toList();
  private static final Key<?>[] KEYS =
      Stream.concat(Stream.of(BESIDE), JOINT.stream()).toArray(Key<?>[]::new);
  private static final ObjectType<Point> CONTROLLERS =
      ObjectType.named(
              "controllers",
              "What controls a run: every policy that is named, at once; or one controller of"
                  + " several knobs.")
          .keys(KEYS)
          .check(controllers -> controllers.requireExactlyOne(KEYS))
          .check(controllers -> checkDisjoint(controllers, BESIDE.name()))
          .build(ControlSchema::point);

  static final Key<List<Point>> KEY =
      Key.of(
              "control",
              distinctList(CONTROLLERS, 1, MAX_ITEMS),
              "Several policies at once, in place of the keys of the knobs that they set; their"
                  + " decisions are in one decisions.csv. See docs/control.md.")
          .example("[{beside: [{pbs: {tolerate: 1%}}, {load: {head-room: 20%}}]}]");

  private ControlSchema() {}

  private static <V> Key<Point> joint(Axis<V> axis) {
    return Key.of(
            axis.name(),
            mapped(axis.item(), value -> Point.NONE.with(axis, value)),
            axis.key().doc())
        .example(axis.key().example());
  }

  private static Point point(Values controllers) {
    return Stream.concat(
            controllers.find(BESIDE).stream().flatMap(List::stream),
            JOINT.stream().flatMap(key -> controllers.find(key).stream()))
        .reduce(Point.NONE, Point::with);
  }

  /** Refuses two items of a list of settings that set the same knob. */
  static void checkDisjoint(Values controllers, String list) {
    Map<Axis<?>, String> setBy = new HashMap<>();
    for (String path : paths(controllers, list)) {
      for (Axis<?> axis : axes(controllers, path)) {
        String other = setBy.putIfAbsent(axis, path);
        if (other != null) {
          controllers.errorAt(path, "sets " + axis + ", as " + other + " does", "keep one of them");
        }
      }
    }
  }

  /** What a setting is of; none if it is wrong by itself. */
  static List<Axis<?>> axes(Values values, String path) {
    Optional<Point> setting = values.peek(path, SETTING);
    return setting.<List<Axis<?>>>map(point -> List.copyOf(point.axes())).orElse(List.of());
  }

  /** Refuses what is set both by a policy beside others and by its axis' own key. */
  static void check(Values matrix) {
    for (String item : paths(matrix, KEY.name())) {
      for (DrivenKnob knob : Axes.JOINT) {
        String path = item + "." + knob.axis();
        for (Axis<?> axis : matrix.has(path) ? Axes.covered(knob) : List.<Axis<?>>of()) {
          if (matrix.given(axis.key())) {
            matrix.errorAt(
                path,
                "sets " + axis + ", as the key " + axis + " of the matrix does",
                "remove one of them");
          }
        }
      }
      for (String path : settings(matrix, item)) {
        for (Axis<?> axis : axes(matrix, path)) {
          if (matrix.given(axis.key())) {
            matrix.errorAt(
                path,
                "sets " + axis + ", as the key " + axis + " of the matrix does",
                "remove one of them");
          }
        }
      }
    }
  }

  /** Paths of a part's items. */
  static List<String> items(Values study, String part) {
    return paths(study, part + "." + KEY.name());
  }

  /** Paths of an item's settings. */
  static List<String> settings(Values study, String item) {
    return paths(study, item + "." + BESIDE.name());
  }

  private static List<String> paths(Values values, String list) {
    return IntStream.range(0, values.items(list)).mapToObj(i -> list + "[" + i + "]").toList();
  }
}
