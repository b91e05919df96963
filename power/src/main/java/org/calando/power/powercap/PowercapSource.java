package org.calando.power.powercap;

import java.nio.file.Path;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSource;
import org.calando.power.Ticker;

/**
 * The energy counters of this machine's processors and their memory, as Linux shows them.
 *
 * @param root folder of the counters
 */
public record PowercapSource(Path root) implements PowerSource {
  /** Kind of this source. */
  public static final String KIND = "powercap";

  /** Where Linux shows the counters. */
  public static final Path SYSTEM = Path.of("/sys/class/powercap");

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public String describe() {
    return root.toString();
  }

  @Override
  public PowerProbe open(Ticker ticker) throws MeterException {
    return new PowercapProbe(Zones.find(root), ticker);
  }
}
