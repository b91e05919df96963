package org.calando.gears;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.calando.core.FailedWorkException;
import org.calando.gears.Member.Service;

/** Has nodes in maintenance or in service, and waits until they are. Stateless. */
final class Services {
  private static final String MAINTENANCE = "maintenance";

  private Services() {}

  /** Has these in maintenance and all others in service, and waits until it is so. */
  static void maintain(NodeMeans means, Set<String> names) throws InterruptedException {
    means.cluster().maintain(names);
    means
        .patience()
        .await(
            means.news(),
            means.patience().service(),
            () -> areMaintained(means, names),
            () ->
                "nodes are not yet in maintenance or in service as ordered: "
                    + others(means, names)
                    + "; in maintenance by the hosts file: "
                    + means.cluster().maintained(),
            MAINTENANCE,
            Remedies.COPIES);
  }

  /**
   * As {@link #maintain}, for nodes that have come back: they must be heard of, and serve.
   *
   * @param off those to be in maintenance
   * @param coming those that have come back
   */
  static void serve(NodeMeans means, Set<String> off, Set<String> coming)
      throws InterruptedException {
    maintain(means, off);
    means
        .patience()
        .await(
            means.news(),
            means.patience().service(),
            () -> doServe(means, off, coming),
            () -> "do not all serve yet: " + String.join(", ", coming),
            MAINTENANCE,
            Remedies.SERVER);
  }

  /** Whether these are in maintenance, and those that have come back serve. */
  static boolean doServe(NodeMeans means, Set<String> off, Set<String> coming) {
    return areMaintained(means, off) && means.members(coming).stream().allMatch(Member::serves);
  }

  /**
   * Whether these are in maintenance and all others in service. A node that is off, and of which
   * the name server has not heard since it started, is in maintenance if it is told so.
   */
  static boolean areMaintained(NodeMeans means, Set<String> names) {
    return means.cluster().maintained().equals(names) && others(means, names).isEmpty();
  }

  private static Set<String> others(NodeMeans means, Set<String> names) {
    Set<String> others = new TreeSet<>();
    for (Member member : means.cluster().members()) {
      boolean wanted = names.contains(member.name());
      boolean is = member.service() == Service.IN_MAINTENANCE;
      boolean unheard = member.service() == Service.OTHER && !member.live();
      boolean serves = member.service() == Service.IN_SERVICE;
      if (wanted ? !is && !unheard : !serves && !unheard) {
        others.add(member.name() + " (" + member.state() + ")");
      }
    }
    return others;
  }

  /**
   * Refuses to go on while a node that is to be on does not serve: what it holds is not told then.
   */
  static void requireServing(GearMeans means, int gear) {
    Set<String> off = means.offIn(gear);
    for (Member member : means.cluster().members()) {
      if (!off.contains(member.name()) && !member.serves()) {
        throw new FailedWorkException(
            "it should be on in gear " + gear + ", and does not serve: " + member.state(),
            "node " + member.name(),
            Remedies.member(means, member, gear));
      }
    }
  }

  /**
   * Waits until nodes have reported all their blocks since they were switched on.
   *
   * @param before when each had last reported before that
   */
  static void awaitReport(NodeMeans means, Set<String> names, Map<String, Long> before)
      throws InterruptedException {
    // What the last look found: a line that looks again would name nobody once all have come.
    List<Member> late = new ArrayList<>();
    boolean[] asked = {false};
    means
        .patience()
        .await(
            means.news(),
            means.patience().power(),
            () -> {
              List<Member> missing = missing(means, names, before);
              late.clear();
              late.addAll(missing);
              if (!missing.isEmpty() && !asked[0] && missing.stream().allMatch(Member::live)) {
                // One that was on all along reports again in hours, unless it is asked to.
                missing.forEach(means.cluster()::askForReport);
                asked[0] = true;
              }
              return missing.isEmpty();
            },
            () -> "no full report of blocks yet from " + names(late),
            "NameNode",
            Remedies.SERVER);
  }

  /** Whether they have. */
  static boolean haveReported(NodeMeans means, Set<String> names, Map<String, Long> before) {
    return missing(means, names, before).isEmpty();
  }

  private static List<Member> missing(
      NodeMeans means, Set<String> names, Map<String, Long> before) {
    Predicate<Member> has =
        member -> member.live() && member.reportMillis() > before.getOrDefault(member.name(), 0L);
    return means.members(names).stream().filter(has.negate()).toList();
  }

  private static String names(List<Member> members) {
    return String.join(", ", members.stream().map(Member::name).toList());
  }
}
