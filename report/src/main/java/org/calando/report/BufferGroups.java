package org.calando.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.report.Results.LoadGroup;

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
      return ways.stream().filter(c -> c.writeBuffer().equals(BufferOrder.STRONG)).findFirst();
    }

    /** Those whose writes are not. */
    List<Configuration> others() {
      return ways.stream().filter(c -> !c.writeBuffer().equals(BufferOrder.STRONG)).toList();
    }
  }

  static BufferGroups of(Results results) {
    List<Group> groups = new ArrayList<>();
    for (LoadGroup load : results.groups()) {
      List<Configuration> told =
          load.measured().stream().filter(c -> !c.writeBuffer().isEmpty()).toList();
      told.stream()
          .map(Configuration::labelWithoutWriteBuffer)
          .distinct()
          .forEach(
              rest ->
                  groups.add(
                      new Group(
                          load.load(),
                          rest,
                          told.stream()
                              .filter(c -> c.labelWithoutWriteBuffer().equals(rest))
                              .toList())));
    }
    return new BufferGroups(
        List.copyOf(groups), groups.stream().map(Group::rest).distinct().count() > 1);
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }

  /** What tells the configuration from others under its load. */
  String label(Configuration c) {
    return restTold && !c.labelWithoutWriteBuffer().isEmpty()
        ? c.labelWithoutWriteBuffer() + ", " + c.writeBuffer()
        : c.writeBuffer();
  }

  /** All labels, each once, from strong writes on. */
  List<String> labels() {
    return groups.stream()
        .flatMap(group -> group.ways().stream())
        .sorted(java.util.Comparator.comparing(Configuration::writeBuffer, BufferOrder.OF_LABELS))
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
