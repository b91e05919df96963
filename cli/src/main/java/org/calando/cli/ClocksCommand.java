package org.calando.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.calando.clock.ClockAbilities;
import org.calando.clock.CpufreqTree;
import org.calando.clock.Machine;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code calando clocks}: which clocks of this machine can be set. */
@Command(
    name = "clocks",
    mixinStandardHelpOptions = true,
    description =
        "Shows which clocks of this machine's processors can be set, why others cannot, and what"
            + " remains. See docs/clock.md; changes nothing.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class ClocksCommand implements Callable<Integer> {
  @Option(
      names = "--root",
      paramLabel = "DIR",
      description = "The folder of processors; /sys/devices/system/cpu by default.")
  private @Nullable Path root;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    Path folder = root == null ? CpufreqTree.MACHINE : root.toAbsolutePath();
    if (!java.nio.file.Files.isDirectory(folder)) {
      throw new BadRequestException("there is no such folder", folder.toString(), "name another");
    }
    ClockAbilities abilities = ClockAbilities.of(Machine.at(folder), StateFolder.leases());
    if (output.json()) {
      System.out.println(abilities.json().toPrettyString());
    } else {
      abilities.lines().forEach(System.out::println);
    }
    return 0;
  }
}
