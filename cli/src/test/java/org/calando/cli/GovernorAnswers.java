package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a governor or an agent that runs answers over HTTP. */
final class GovernorAnswers {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Pattern LISTENS = Pattern.compile("listens on (http://[0-9.:]+)");

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI address;

  private GovernorAnswers(URI address) {
    this.address = address;
  }

  /** Waits until it listens. */
  static GovernorAnswers of(CommandProcess governor) {
    await()
        .atMost(LONG)
        .until(() -> !governor.isAlive() || LISTENS.matcher(governor.stdout()).find());
    Matcher found = LISTENS.matcher(governor.stdout());
    assertThat(found.find()).as(governor.stderr() + governor.stdout()).isTrue();
    return new GovernorAnswers(URI.create(found.group(1)));
  }

  URI address() {
    return address;
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(address.resolve(path)).timeout(LONG).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  String metrics() throws IOException, InterruptedException {
    return get("/metrics").body();
  }

  /** Waits for so many lines that begin so. */
  void awaitMetrics(String begin, long lines) {
    await()
        .atMost(LONG)
        .until(() -> metrics().lines().filter(line -> line.startsWith(begin)).count() == lines);
  }

  /** The sum of a metric over its lines with some label. */
  double sum(String metric, String label) throws IOException, InterruptedException {
    return metrics()
        .lines()
        .filter(line -> line.startsWith(metric + "{") && line.contains(label))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
