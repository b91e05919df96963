package org.calando.core.energy;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The node profiles that need no configuration. */
public final class Profiles {
  /** Used where no profile is named. */
  public static final String DEFAULT = "xeon-x3440";

  private static final Map<String, NodeProfile> BUILT_IN = builtIn();

  private Profiles() {}

  /** The built-in profile of that name. */
  public static Optional<NodeProfile> byName(String name) {
    return Optional.ofNullable(BUILT_IN.get(name));
  }

  /** Names of the built-in profiles, the default first. */
  public static Set<String> names() {
    return BUILT_IN.keySet();
  }

  private static Map<String, NodeProfile> builtIn() {
    Map<String, NodeProfile> profiles = new LinkedHashMap<>();
    for (NodeProfile profile : new NodeProfile[] {xeonX3440(), epyc7763()}) {
      profiles.put(profile.name(), profile);
    }
    return Collections.unmodifiableMap(profiles);
  }

  private static NodeProfile xeonX3440() {
    return new NodeProfile(
        DEFAULT,
        8,
        75,
        150,
        4,
        1,
        PowerCurve.linear(),
        120,
        110,
        "a Grid'5000 graphene node (Intel Xeon X3440, 4 cores, 16 GB) as in Li 2013, sections"
            + " 3.1-3.2. That paper prints no watts of a node: idle 75 W and busy 150 W are the"
            + " values that a queueing model of its cluster was fitted with, and the paper's nearly"
            + " flat power would need nodes of 95 to 103 W. Assumptions: straight line, off 8 W,"
            + " boot 120 s at 110 W, and one local CPU second as one of this processor's");
  }

  private static NodeProfile epyc7763() {
    return new NodeProfile(
        "epyc-7763",
        10,
        58,
        272,
        64,
        1,
        PowerCurve.points(58, 104, 120, 134, 150, 169, 197, 217, 236, 255, 272),
        180,
        150,
        "approximate: HPE ProLiant DL345 Gen10 Plus (one AMD EPYC 7763, 64 cores), active idle and"
            + " load levels of 10 to 100 % of SPECpower_ssj2008 result"
            + " power_ssj2008-20210221-01065 (first quarter of 2021), as the machine catalogue of"
            + " the OpenDC simulator repeats them; not compared with the result's own page."
            + " Assumptions: off 10 W, boot 180 s at 150 W, and one local CPU second as one of this"
            + " processor's");
  }
}
