package org.calando.knob.gear;

import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.engine.Engine;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.engine.GearedFiles;
import org.calando.engine.GearedNodes;
import org.calando.knob.GearChoice;
import org.calando.knob.GearSchema;
import org.calando.knob.Place;
import org.calando.knob.StudyChecks;
import org.calando.schema.Types;
import org.calando.schema.Values;

/** Checks {@code matrix.gear} against the rest. Not thread safe. */
final class GearChecks {
  private final StudyChecks checks;
  private final Values study;

  GearChecks(StudyChecks checks) {
    this.checks = checks;
    this.study = checks.study();
  }

  /** Reports all that is wrong. */
  void run() {
    Optional<GearedFiles> files =
        checks.store().local().flatMap(one -> one.find(GearedFiles.class));
    if (files.isPresent()) {
      checkFiles(files.get());
      return;
    }
    Optional<GearedNodes> geared = GearedNodes.of(checks.store());
    if (geared.isPresent() && geared.get().highest().isPresent()) {
      checkChoices(geared.get(), geared.get().highest().getAsInt());
    } else {
      GearedNodes.Lack lack = geared.flatMap(GearedNodes::lack).orElseGet(GearChecks::none);
      checks
          .paths(GearSchema.AXIS)
          .forEach(path -> study.errorAt(path, lack.problem(), lack.remedy()));
    }
    if (study.has("events") && !checks.paths(GearSchema.AXIS).isEmpty()) {
      study.errorAt("events", "gears switch nodes, too", "remove events or matrix.gear");
    }
  }

  private static GearedNodes.Lack none() {
    return new GearedNodes.Lack(
        "is supported only by a simulated cluster with gears, and by " + real(),
        "add store.sim.gears: {nodes: [3, 7], capacity: 100/s}, or store.gears: {capacity: 100/s} to"
            + " a store.local with as many racks as rf, or remove it");
  }

  /** A real cluster keeps every block readable in every gear. */
  private void checkFiles(GearedFiles files) {
    for (Place<GearChoice> place : checks.values(GearSchema.AXIS)) {
      check(place.path(), place.value(), files.gears().size());
      if (!place.value().isFixed()) {
        checkPolicy(place.path(), place.part(), files);
      }
    }
  }

  private void checkPolicy(String item, String part, GearedFiles files) {
    checkOpenLoop(item, part);
    if (files.nodePerSecond().isEmpty()) {
      study.errorAt(
          item, "the capacity of a node is not known", "write store.local.capacity, such as 40/s");
    }
  }

  private void checkOpenLoop(String item, String part) {
    if (!study.has(part + ".rate")) {
      study.errorAt(item, "a closed loop asks for no more than it gets", "write rate, not threads");
    }
  }

  private static String real() {
    List<String> ids =
        Engines.with(Feature.GEARS).stream()
            .filter(engine -> !engine.supports(Feature.SIMULATED))
            .map(Engine::id)
            .toList();
    int last = ids.size() - 1;
    return String.join(", ", ids.subList(0, last)) + " and " + ids.get(last);
  }

  private void checkChoices(GearedNodes geared, int gears) {
    for (String part : checks.parts()) {
      if (!checks.paths(part, GearSchema.AXIS.name()).isEmpty()) {
        checks
            .paths(part, "layout")
            .forEach(
                path ->
                    study.errorAt(path, "is not supported with a cluster with gears", "remove it"));
      }
    }
    for (Place<GearChoice> place : checks.values(GearSchema.AXIS)) {
      check(place.path(), place.value(), gears);
      if (place.value().lowest() < gears && isDualRead()) {
        study.errorAt(
            place.path(),
            "staleness: dual-read has a second read at ALL after each, which fails while nodes are"
                + " off",
            "write staleness: oracle");
      }
      if (!place.value().isFixed()) {
        checkOpenLoop(place.path(), place.part());
        checkServes(place.path(), geared);
      }
    }
  }

  private boolean isDualRead() {
    return study
        .peek("staleness", Types.text("a method", "[a-z-]+", ""))
        .filter("dual-read"::equals)
        .isPresent();
  }

  private void checkServes(String item, GearedNodes geared) {
    NodeProfile any = Profiles.byName(Profiles.DEFAULT).orElseThrow();
    if (geared.gearModel(any, Optional.empty()).isEmpty()) {
      study.errorAt(
          item,
          "the capacity of a node is not known",
          "write store.gears: {capacity: 2000/s}, with what it serves");
    }
  }

  private void check(String item, GearChoice choice, int gears) {
    if (choice.highest() > gears) {
      study.errorAt(item, "there is no gear " + choice.highest(), "write at most " + gears);
    }
    if (choice.kind() == GearChoice.Kind.SCHEDULE) {
      try {
        choice.timetable();
      } catch (BadRequestException | IllegalArgumentException e) {
        study.errorAt(item, "two entries are of one time", "write each time once");
      }
    }
  }
}
