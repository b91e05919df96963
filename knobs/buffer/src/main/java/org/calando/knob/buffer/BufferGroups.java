package org.calando.knob.buffer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.calando.report.Configuration;
import org.calando.report.Load;
import org.calando.report.Results;
import org.calando.report.Results.LoadGroup;
import org.calando.report.column.RunColumns;

/**
 * A study's configurations by how their writes are sent, where it has several ways. Immutable.
 *
 * @param groups by load and whatever else they have in common, in the order of the study's loads
 * @param restTold whether labels tell what else a configuration is, because the study has several
 */
record BufferGroups(List<Group> groups, boolean restTold) {
  /**
   * Configurations that differ in how their writes are sent alone.
   *
   * @param rest what they have in common beside the load, such as levels; may be empty
   * @param ways from strong writes on, each with a run that succeeded
   */
  record Group(Load load, String rest, List<Configuration> ways) {
    /** The one whose writes are sent one by one. */
    Optional<Configuration> strong() {
      return ways.stream().filter(c -> way(c).equals(BufferOrder.STRONG)).findFirst();
    }

    /** Those whose writes are not. */
    List<Configuration> others() {
      return ways.stream().filter(c -> !way(c).equals(BufferOrder.STRONG)).toList();
    }
  }

  static BufferGroups of(Results results) {
    List<Group> groups = new ArrayList<>();
    for (LoadGroup load : results.groups()) {
      List<Configuration> told = load.measured().stream().filter(c -> !way(c).isEmpty()).toList();
      told.stream()
          .map(BufferGroups::rest)
          .distinct()
          .forEach(
              rest ->
                  groups.add(
                      new Group(
                          load.load(),
                          rest,
                          told.stream().filter(c -> rest(c).equals(rest)).toList())));
    }
    return new BufferGroups(
        List.copyOf(groups), groups.stream().map(Group::rest).distinct().count() > 1);
  }

  /** How its writes are sent, empty if there is no choice. */
  static String way(Configuration c) {
    return c.value(RunColumns.WRITE_BUFFER);
  }

  private static String rest(Configuration c) {
    return c.labelWithout(RunColumns.WRITE_BUFFER);
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }

  /** What tells the configuration from others under its load. */
  String label(Configuration c) {
    return restTold && !rest(c).isEmpty() ? rest(c) + ", " + way(c) : way(c);
  }

  /** All labels, each once, from strong writes on. */
  List<String> labels() {
    return groups.stream()
        .flatMap(group -> group.ways().stream())
        .sorted(Comparator.comparing(BufferGroups::way, new BufferOrder()))
        .map(this::label)
        .distinct()
        .toList();
  }

  /** Workloads with their loads, in the order of their share of reads. */
  List<String> workloads() {
    return groups.stream().map(group -> group.load().workload()).distinct().toList();
  }

  List<Group> of(String workload) {
    return groups.stream().filter(group -> group.load().workload().equals(workload)).toList();
  }

  /** A heading for a group. */
  String title(Group group) {
    String load = Load.sentence(group.load().label());
    return restTold && !group.rest().isEmpty() ? load + " \u00B7 " + group.rest() : load;
  }
}
