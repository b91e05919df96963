package org.calando.power.prometheus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.calando.power.Daemon;

/** A real Prometheus that collects from targets of the test once a second. */
public final class RealPrometheus extends Daemon {
  private final Path folder;

  /**
   * A server that does not run yet.
   *
   * @param folder empty, for its configuration and data
   * @param targets jobs and the host and port that each collects
   */
  public RealPrometheus(Path folder, Map<String, String> targets) throws IOException {
    super(Path.of("/usr/bin/prometheus"), "prometheus", folder.resolve("log"));
    this.folder = folder;
    StringBuilder config = new StringBuilder("global: {scrape_interval: 1s, scrape_timeout: 1s}\n");
    config.append("scrape_configs:\n");
    targets.forEach(
        (job, target) ->
            config.append(
                "- {job_name: %s, static_configs: [{targets: ['%s']}]}\n".formatted(job, target)));
    Files.writeString(folder.resolve("prometheus.yml"), config);
  }

  @Override
  protected List<String> arguments() {
    return List.of(
        "--config.file=" + folder.resolve("prometheus.yml"),
        "--storage.tsdb.path=" + folder.resolve("data"),
        "--web.listen-address=" + hostAndPort(),
        "--log.level=warn");
  }

  @Override
  protected String readyPath() {
    return "/-/ready";
  }

  /** Where its interface is. */
  public Endpoint endpoint() {
    return Endpoint.of(uri());
  }
}
