package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.metering.MeterTrials;
import org.calando.metering.MeterTrials.Reading;
import org.calando.metering.MeterTrials.Trial;
import org.calando.power.ModelMeter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code calando meters}: what can tell energy on this machine. */
@Command(
    name = "meters",
    mixinStandardHelpOptions = true,
    description =
        "Shows the meters of this machine, a reading of each, and why others do not work.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class MetersCommand implements Callable<Integer> {
  @Option(
      names = "--profile",
      paramLabel = "NAME",
      defaultValue = Profiles.DEFAULT,
      description = "Node profile of the model meter; ${DEFAULT-VALUE} by default.")
  private String profile;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws InterruptedException {
    NodeProfile node =
        Profiles.byName(profile)
            .orElseThrow(
                () ->
                    new org.calando.core.BadRequestException(
                        "there is no profile '" + profile + "'",
                        "--profile",
                        "use one of: " + String.join(", ", Profiles.names())));
    List<Trial> trials = MeterTrials.ofThisMachine(node);
    if (output.json()) {
      System.out.println(json(trials).toPrettyString());
    } else {
      trials.forEach(trial -> lines(trial).forEach(System.out::println));
    }
    return 0;
  }

  private static ObjectNode json(List<Trial> trials) {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    for (Trial trial : trials) {
      ObjectNode entry = answer.withArray("meters").addObject();
      entry.put("meter", trial.id());
      entry.put("usable", trial.usable());
      entry.put("provenance", trial.provenance());
      entry.put("scope", trial.scope());
      entry.put("resolution", trial.resolution());
      entry.put("reason", trial.reason());
      for (Reading reading : trial.readings()) {
        ObjectNode node = entry.withArray("nodes").addObject();
        node.put("node", reading.node());
        node.put("instrument", reading.instrument());
        if (Double.isFinite(reading.watts())) {
          node.put("power_w", reading.watts());
        }
      }
    }
    return answer;
  }

  private List<String> lines(Trial trial) {
    List<String> lines = new ArrayList<>();
    if (!trial.usable()) {
      lines.add(String.format(Locale.ROOT, "%-10s not usable: %s", trial.id(), trial.reason()));
      return lines;
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "%-10s usable: %s, scope %s; %s",
            trial.id(),
            trial.provenance(),
            trial.scope(),
            trial.resolution()));
    for (Reading reading : trial.readings()) {
      String watts =
          Double.isFinite(reading.watts())
              ? String.format(Locale.ROOT, "%.1f W", reading.watts())
              : "no two figures in the time of the trial";
      String instrument = reading.instrument().isEmpty() ? "" : " (" + reading.instrument() + ")";
      String node = trial.id().equals(ModelMeter.ID) ? "modelled as a " + profile : reading.node();
      lines.add("           " + node + ": " + watts + instrument);
    }
    return lines;
  }
}
