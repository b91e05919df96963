package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.study.MachineMeters;
import org.calando.study.MachineMeters.Finding;
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
    ObjectNode answer = new ObjectMapper().createObjectNode();
    for (Finding meter : MachineMeters.find(node)) {
      ObjectNode entry = answer.withArray("meters").addObject();
      entry.put("meter", meter.id());
      entry.put("usable", meter.usable());
      entry.put("provenance", meter.provenance());
      entry.put("reason", meter.reason());
      if (Double.isFinite(meter.watts())) {
        entry.put("power_w", meter.watts());
      }
      if (!output.json()) {
        System.out.println(line(meter));
      }
    }
    if (output.json()) {
      System.out.println(answer.toPrettyString());
    }
    return 0;
  }

  private static String line(Finding meter) {
    return meter.usable()
        ? String.format(
            Locale.ROOT,
            "%-9s usable, %s: %.1f W (%s)",
            meter.id(),
            meter.provenance(),
            meter.watts(),
            meter.reason())
        : String.format(Locale.ROOT, "%-9s not usable: %s", meter.id(), meter.reason());
  }
}
