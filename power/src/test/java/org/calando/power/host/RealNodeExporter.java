package org.calando.power.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.calando.power.Daemon;
import org.calando.power.prometheus.Endpoint;

/** A real node_exporter of this machine. */
public final class RealNodeExporter extends Daemon {
  private static final List<String> COLLECTORS =
      List.of("cpu", "meminfo", "diskstats", "netdev", "stat");

  private final List<String> collectors;

  /** One with the collectors that host figures need, which does not run yet. */
  public RealNodeExporter(Path folder) throws IOException {
    this(folder, COLLECTORS);
  }

  /** One with some collectors, which does not run yet. */
  public RealNodeExporter(Path folder, List<String> collectors) throws IOException {
    super(
        Path.of("/usr/bin/prometheus-node-exporter"),
        "prometheus-node-exporter",
        folder.resolve("node-exporter.log"));
    this.collectors = collectors;
  }

  @Override
  protected List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("--collector.disable-defaults");
    collectors.forEach(collector -> arguments.add("--collector." + collector));
    arguments.add("--web.listen-address=" + hostAndPort());
    return arguments;
  }

  @Override
  protected String readyPath() {
    return "/metrics";
  }

  /** Its page. */
  public Endpoint page() {
    return Endpoint.of(uri().resolve("/metrics"));
  }
}
