package org.calando.metering;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.calando.core.CalandoException;
import org.calando.engine.Finding;
import org.calando.engine.Target;
import org.calando.power.Meters;

/**
 * Tries the meters of a user's cluster as a study would, and tells what they say; changes nothing.
 */
public final class MeterDoctor {
  private static final int MOST_NODES = 12;

  private final String wanted;
  private final List<Target.Node> nodes;

  /**
   * A doctor for a cluster's meters.
   *
   * @param wanted {@code auto} or the meter that the study asks for
   * @param nodes the cluster
   */
  public MeterDoctor(String wanted, List<Target.Node> nodes) {
    this.wanted = wanted;
    this.nodes = nodes;
  }

  public List<Finding> examine() {
    List<Finding> findings = new ArrayList<>();
    try {
      List<MeterTrials.Trial> trials = MeterTrials.of(nodes);
      boolean auto = wanted.equals(Meters.AUTO);
      boolean chosen = false;
      for (MeterTrials.Trial trial : trials) {
        boolean named = nodes.stream().anyMatch(node -> names(node, trial.id()));
        if (trial.usable()) {
          boolean takes = !chosen && (auto || wanted.equals(trial.id()));
          chosen |= takes;
          findings.add(new Finding(true, subject(trial, takes), usable(trial)));
        } else if (wanted.equals(trial.id()) || named) {
          findings.add(new Finding(false, "meter " + trial.id(), trial.reason()));
        }
      }
      if (!chosen && auto) {
        findings.add(
            new Finding(
                true,
                "energy",
                "its columns will stay empty: no meter can tell every node's energy\n"
                    + "to have them, give the nodes power or bmc, or pid or metrics"));
      }
    } catch (CalandoException e) {
      findings.add(new Finding(false, "meters", String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return findings;
  }

  /**
   * Whether a file says that the node has such a meter: this machine's own counters are implied.
   */
  private static boolean names(Target.Node node, String id) {
    return node.pid().isEmpty()
        && node.sources().stream().anyMatch(source -> source.kind().equals(id));
  }

  private static String subject(MeterTrials.Trial trial, boolean takes) {
    return "meter " + trial.id() + (takes ? " (the study's)" : "");
  }

  private static String usable(MeterTrials.Trial trial) {
    StringBuilder text = new StringBuilder(trial.provenance() + ", scope " + trial.scope());
    int shown = Math.min(MOST_NODES, trial.readings().size());
    for (MeterTrials.Reading reading : trial.readings().subList(0, shown)) {
      text.append(", ").append(reading.node()).append(' ');
      text.append(
          Double.isFinite(reading.watts())
              ? String.format(Locale.ROOT, "%.1f W", reading.watts())
              : "(no second figure yet)");
    }
    if (shown < trial.readings().size()) {
      text.append(" and ").append(trial.readings().size() - shown).append(" more");
    }
    return text.toString();
  }
}
