package org.calando.governor.notify;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.calando.core.time.DaemonThread;
import org.calando.http.Listening;
import org.calando.http.SecretFile;

/*
 *   alerts --> queue, 256 at most, the oldest goes --> one post at a time, 10 s at most --> 2xx: done
 *                                                        |
 *                                                        no answer, 408, 429, 5xx: again after 1 s, 2 s .. 5 min
 *                                                        other answers: given up, as they would be the same again
 *
 * Who hands alerts in never waits. The address is a secret, as it holds a token with many services: messages name its host.
 */
/** Posts alerts to an address, in their order. Thread safe. */
final class Webhook implements AutoCloseable {
  private static final int MOST_WAITING = 256;
  private static final int MOST_PORT = 65_535;
  private static final Pattern PORT = Pattern.compile(":(\\d+)$");
  private static final int MOST_IN_POST = 64;
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final long FIRST_MILLIS = 1000;
  private static final long LONGEST_MILLIS = Duration.ofMinutes(5).toMillis();

  private final URI address;
  private final Consumer<String> trouble;
  private final HttpClient client;
  private final long firstMillis;
  private final Deque<Alert> waiting = new ArrayDeque<>();
  private final ScheduledExecutorService thread = DaemonThread.scheduler("calando-webhook");
  private long dropped;
  private boolean scheduled;
  private long pauseMillis;
  private String told = "";

  /**
   * Posts nothing yet.
   *
   * @param trouble takes a line when posting fails or works again
   */
  Webhook(URI address, Consumer<String> trouble) {
    this(address, trouble, FIRST_MILLIS);
  }

  /** The same with another first pause, in milliseconds. */
  Webhook(URI address, Consumer<String> trouble, long firstMillis) {
    this.address = address;
    this.trouble = trouble;
    this.firstMillis = firstMillis;
    this.pauseMillis = firstMillis;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(DEADLINE)
            .build();
  }

  /**
   * The address that a file has.
   *
   * @throws BadRequestException if it cannot be read, others may read it, or it is no such address
   */
  static URI address(Path file) {
    String line = SecretFile.firstLine(file, "the address to post to");
    Optional<URI> found = parsed(line);
    requirePort(found, file);
    boolean safe =
        found.isPresent()
            && found.get().getHost() != null
            && ("https".equals(found.get().getScheme())
                || ("http".equals(found.get().getScheme())
                    && Listening.isLoopback(found.get().getHost())));
    if (!safe) {
      throw new BadRequestException(
          "holds no address of https, which only the loopback does without",
          file.toString(),
          "write https://HOST/PATH into its first line");
    }
    return found.orElseThrow();
  }

  /** One that is none has no host either, if it is long enough. */
  private static void requirePort(Optional<URI> address, Path file) {
    Optional<String> port =
        address
            .flatMap(uri -> Optional.ofNullable(uri.getRawAuthority()))
            .map(PORT::matcher)
            .filter(Matcher::find)
            .map(found -> found.group(1));
    boolean isOne =
        port.isEmpty()
            || (port.get().length() <= 5
                && Integer.parseInt(port.get()) > 0
                && Integer.parseInt(port.get()) <= MOST_PORT);
    if (!isOne) {
      throw new BadRequestException(
          "holds an address whose port is " + port.get(),
          file.toString(),
          "write a port from 1 to " + MOST_PORT + ", or none for that of its scheme");
    }
  }

  private static Optional<URI> parsed(String text) {
    try {
      return Optional.of(URI.create(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Where to, without what may be secret. */
  static String words(URI address) {
    return address.getScheme() + "://" + address.getHost();
  }

  /** Has alerts posted; does not wait. */
  synchronized void send(List<Alert> alerts) {
    waiting.addAll(alerts);
    while (waiting.size() > MOST_WAITING) {
      waiting.removeFirst();
      dropped++;
    }
    schedule(0);
  }

  private synchronized void schedule(long millis) {
    if (!scheduled && !waiting.isEmpty() && !thread.isShutdown()) {
      scheduled = true;
      var unused = thread.schedule(this::post, millis, TimeUnit.MILLISECONDS);
    }
  }

  private synchronized List<Alert> first() {
    return new ArrayList<>(waiting).subList(0, Math.min(MOST_IN_POST, waiting.size()));
  }

  private void post() {
    List<Alert> alerts = first();
    long missing;
    synchronized (this) {
      missing = dropped;
    }
    String failed = "";
    boolean again = false;
    try {
      int status =
          client
              .send(
                  request(AlertJson.text(alerts, missing)), HttpResponse.BodyHandlers.discarding())
              .statusCode();
      again = status == 408 || status == 429 || status >= 500;
      failed = status >= 200 && status < 300 ? "" : "it answers " + status;
    } catch (IOException e) {
      again = true;
      failed = "it does not answer: " + e.getClass().getSimpleName();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    } catch (RuntimeException e) {
      failed = "it cannot be posted: " + e.getClass().getSimpleName();
    }
    done(alerts, missing, failed, again);
  }

  private HttpRequest request(String body) {
    return HttpRequest.newBuilder(address)
        .timeout(DEADLINE)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private void done(List<Alert> alerts, long missing, String failed, boolean again) {
    String words;
    synchronized (this) {
      scheduled = false;
      if (!again) {
        // What was dropped meanwhile was the oldest of these.
        alerts.forEach(waiting::removeFirstOccurrence);
        dropped -= failed.isEmpty() ? missing : 0;
        pauseMillis = firstMillis;
        schedule(0);
      } else {
        schedule(pauseMillis);
        pauseMillis = Math.min(LONGEST_MILLIS, 2 * pauseMillis);
      }
      words =
          failed.isEmpty()
              ? ""
              : failed + (again ? "; it is tried again" : "; what it does not take is given up");
      if (words.equals(told)) {
        return;
      }
      told = words;
    }
    trouble.accept(
        "notifications to " + words(address) + ": " + (words.isEmpty() ? "posted again" : words));
  }

  /** {@inheritDoc} What waits is not posted. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
