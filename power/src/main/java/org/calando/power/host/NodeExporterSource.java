package org.calando.power.host;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import org.calando.power.MeterException;
import org.calando.power.NodeUsage;
import org.calando.power.Ticker;
import org.calando.power.internal.HttpClients;
import org.calando.power.internal.HttpPeer;
import org.calando.power.prometheus.Endpoint;

/**
 * A machine's node_exporter. It is asked for the collectors that matter, so that the metered
 * machine works as little as possible for it, and for its whole page where it will not have that.
 *
 * @param page its page, mostly {@code http://HOST:9100/metrics}
 */
public record NodeExporterSource(Endpoint page) implements HostSource {
  private static final long MAX_BYTES = 8 << 20;
  private static final String COLLECTORS =
      "collect[]=cpu&collect[]=meminfo&collect[]=diskstats&collect[]=netdev&collect[]=stat"
          .replace("[]", "%5B%5D");

  @Override
  public String describe() {
    return "node_exporter " + page.uri();
  }

  @Override
  public HostProbe open(Ticker ticker) throws MeterException {
    return new Probe(this, new HttpPeer(HttpClients.trusting(page.ca()), ticker, describe()));
  }

  private static final class Probe implements HostProbe {
    private final NodeExporterSource source;
    private final HttpPeer peer;
    private final BootTrack boots = new BootTrack();
    private boolean wholePage;

    Probe(NodeExporterSource source, HttpPeer peer) {
      this.source = source;
      this.peer = peer;
      wholePage = source.page().uri().getRawQuery() != null;
    }

    @Override
    public NodeUsage sample(long deadlineNanos) throws MeterException, InterruptedException {
      HttpPeer.Answer answer = ask(deadlineNanos);
      if (answer.status() == 400 && !wholePage) {
        // A collector that is switched off is an error there.
        wholePage = true;
        answer = ask(deadlineNanos);
      }
      if (answer.status() != 200) {
        throw refusal(answer.status());
      }
      NodeExporterPage page = new NodeExporterPage();
      Exposition.read(new String(answer.body(), StandardCharsets.UTF_8), page);
      return page.figures(answer.middleNanos(), boots, source.describe());
    }

    private HttpPeer.Answer ask(long deadlineNanos) throws MeterException, InterruptedException {
      URI uri = source.page().uri();
      URI target = wholePage ? uri : URI.create(uri + "?" + COLLECTORS);
      HttpRequest request =
          source.page().request(target).header("Accept", "text/plain").GET().build();
      return peer.ask(request, deadlineNanos, MAX_BYTES);
    }

    private MeterException refusal(int status) {
      String remedy =
          switch (status) {
            case 401, 403 -> "check user and password, or the token, and what they may read";
            case 404 -> "give the URL of its page, mostly http://HOST:9100/metrics";
            default -> "see the log of node_exporter";
          };
      return new MeterException("the page fails with HTTP " + status, source.describe(), remedy);
    }

    @Override
    public void close() {
      peer.close();
    }
  }
}
