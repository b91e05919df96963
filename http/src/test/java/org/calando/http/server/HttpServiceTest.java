package org.calando.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.calando.core.BadRequestException;
import org.calando.http.HttpPeer;
import org.calando.http.Listening;
import org.calando.local.process.SignedKeys;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is answered, on the loopback and beyond, and for how long somebody may take. */
class HttpServiceTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String FIRST = "first-token-of-a-test";
  private static final String SECOND = "second-token-of-a-test";

  @TempDir static Path folder;
  private static SignedKeys keys;
  private static SignedKeys strangers;

  @BeforeAll
  static void keys() throws Exception {
    keys = signed("own");
    strangers = signed("strangers");
    secret("server.key", keys.keyPem("server"));
    Files.writeString(folder.resolve("server.pem"), keys.certificatePem("server"));
    Files.writeString(folder.resolve("ca.pem"), keys.caPem());
    secret("stranger.key", strangers.keyPem("server"));
    Files.writeString(folder.resolve("stranger.pem"), strangers.certificatePem("server"));
    Files.writeString(folder.resolve("strangers.pem"), strangers.caPem());
  }

  private static SignedKeys signed(String name) throws Exception {
    return SignedKeys.make(
        Files.createDirectory(folder.resolve(name)),
        "for-a-test-only",
        List.of(new SignedKeys.Server("server", "127.0.0.1")));
  }

  private static Path secret(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  private static Listening.Tls tls(String... clientCa) {
    return new Listening.Tls(
        folder.resolve("server.pem"),
        folder.resolve("server.key"),
        Optional.of(clientCa)
            .filter(names -> names.length > 0)
            .map(names -> folder.resolve(names[0])));
  }

  private static Listening listening(Optional<Listening.Tls> tls, Optional<Path> tokens) {
    return new Listening("127.0.0.1", 0, tls, tokens);
  }

  private static Answer echo(Call call) {
    return Answer.text(200, call.method() + " " + call.path() + " " + call.body());
  }

  private static HttpPeer peer(HttpService service, Optional<Path> own, Optional<Path> token) {
    return new HttpPeer(
        URI.create(service.address()),
        new HttpPeer.Access(
            Optional.of(folder.resolve("ca.pem")),
            own,
            own.map(file -> Path.of(file.toString().replace(".pem", ".key"))),
            token));
  }

  private static HttpResponse<String> get(HttpPeer peer, String path)
      throws IOException, InterruptedException {
    return send(peer, peer.request(path, LONG).GET());
  }

  private static HttpResponse<String> send(HttpPeer peer, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    try {
      return peer.ask(request.build()).get(LONG.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failed ? failed : new IOException(e);
    } catch (TimeoutException e) {
      throw new IOException(e);
    }
  }

  @Test
  void aTokenOfTheFileIsNeededForAllButHealthAndReadAgainOnOrder() throws Exception {
    Path tokens = secret("tokens", FIRST + "\n");
    Path shown = secret("shown", FIRST + "\n");
    try (HttpService service =
        HttpService.listen(
            listening(Optional.of(tls()), Optional.of(tokens)), HttpServiceTest::echo)) {
      assertThat(service.address()).startsWith("https://127.0.0.1:");
      HttpPeer known = peer(service, Optional.empty(), Optional.of(shown));
      HttpPeer unknown = peer(service, Optional.empty(), Optional.empty());
      assertThat(get(known, "/metrics").body()).isEqualTo("GET /metrics ");
      assertThat(get(unknown, "/healthz").statusCode()).isEqualTo(200);
      HttpResponse<String> refused = get(unknown, "/metrics");
      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer");
      assertThat(refused.body()).doesNotContain(FIRST);

      secret("tokens", SECOND + "\n");
      assertThat(get(known, "/metrics").statusCode()).as("not read yet").isEqualTo(200);
      service.reload();
      assertThat(get(known, "/metrics").statusCode()).isEqualTo(401);
      secret("shown", SECOND + "\n");
      assertThat(get(known, "/metrics").statusCode()).isEqualTo(200);

      secret("tokens", "short\n");
      assertThatThrownBy(service::reload).isInstanceOf(BadRequestException.class);
      assertThat(get(known, "/metrics").statusCode()).as("as before").isEqualTo(200);
    }
  }

  @Test
  void aCertificateOfTheClientsIsNeededWhereTheirAuthoritiesAreGiven() throws Exception {
    try (HttpService service =
        HttpService.listen(
            listening(Optional.of(tls("strangers.pem")), Optional.empty()),
            HttpServiceTest::echo)) {
      HttpPeer known = peer(service, Optional.of(folder.resolve("stranger.pem")), Optional.empty());
      assertThat(get(known, "/metrics").statusCode()).isEqualTo(200);
      HttpPeer wrong = peer(service, Optional.of(folder.resolve("server.pem")), Optional.empty());
      assertThatThrownBy(() -> get(wrong, "/healthz")).isInstanceOf(IOException.class);
      HttpPeer none = peer(service, Optional.empty(), Optional.empty());
      assertThatThrownBy(() -> get(none, "/healthz")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aServersCertificateIsReadAgainAndThatOfAStrangerIsNotTrusted() throws Exception {
    Path certificate = folder.resolve("renewed.pem");
    Files.writeString(certificate, strangers.certificatePem("server"));
    secret("renewed.key", strangers.keyPem("server"));
    Listening where =
        listening(
            Optional.of(
                new Listening.Tls(certificate, folder.resolve("renewed.key"), Optional.empty())),
            Optional.empty());
    try (HttpService service = HttpService.listen(where, HttpServiceTest::echo)) {
      HttpPeer peer = peer(service, Optional.empty(), Optional.empty());
      assertThatThrownBy(() -> get(peer, "/healthz")).isInstanceOf(SSLException.class);
      Files.writeString(certificate, keys.certificatePem("server"));
      secret("renewed.key", keys.keyPem("server"));
      service.reload();
      assertThat(get(peer, "/healthz").statusCode()).isEqualTo(200);
      Files.writeString(certificate, "none");
      assertThatThrownBy(service::reload).isInstanceOf(BadRequestException.class);
      assertThat(get(peer, "/healthz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void tokensAndCertificatesTakeForceTogetherOrNotAtAll() throws Exception {
    Path certificate = Files.writeString(folder.resolve("half.pem"), keys.certificatePem("server"));
    Path key = secret("half.key", keys.keyPem("server"));
    Path tokens = secret("half-tokens", FIRST + "\n");
    Path first = secret("half-first", FIRST + "\n");
    Path second = secret("half-second", SECOND + "\n");
    Listening where =
        listening(
            Optional.of(new Listening.Tls(certificate, key, Optional.empty())),
            Optional.of(tokens));
    try (HttpService service = HttpService.listen(where, HttpServiceTest::echo)) {
      HttpPeer before = peer(service, Optional.empty(), Optional.of(first));
      HttpPeer after = peer(service, Optional.empty(), Optional.of(second));
      secret("half-tokens", SECOND + "\n");
      Files.writeString(certificate, strangers.certificatePem("server"));
      assertThatThrownBy(service::reload)
          .as("the key is not renewed yet")
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("is not the key of");
      assertThat(get(before, "/metrics").statusCode()).isEqualTo(200);
      assertThat(get(after, "/metrics").statusCode()).isEqualTo(401);
      secret("half-tokens", "short\n");
      secret("half.key", strangers.keyPem("server"));
      assertThatThrownBy(service::reload).isInstanceOf(BadRequestException.class);
      assertThat(get(before, "/metrics").statusCode()).isEqualTo(200);
      secret("half-tokens", SECOND + "\n");
      service.reload();
      HttpPeer fresh = peer(service, Optional.empty(), Optional.of(second));
      assertThatThrownBy(() -> get(fresh, "/metrics")).isInstanceOf(SSLException.class);
      Files.writeString(certificate, keys.certificatePem("server"));
      secret("half.key", keys.keyPem("server"));
      service.reload();
      assertThat(get(fresh, "/metrics").statusCode()).isEqualTo(200);
      assertThat(get(before, "/metrics").statusCode()).isEqualTo(401);
    }
  }

  @Test
  void aClientThatGoesAwayInTheMidstOfAnAnswerIsNoFault() throws Exception {
    Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    Thread.UncaughtExceptionHandler usual = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, fault) -> faults.add(fault));
    String large = "x".repeat(32 << 20);
    try (HttpService service =
        HttpService.listen(
            Listening.plain("127.0.0.1", 0),
            call -> call.path().equals("/large") ? Answer.text(200, large) : echo(call))) {
      for (int i = 0; i < 20; i++) {
        try (Socket socket = socket(service)) {
          socket.setSoLinger(true, 0);
          write(socket, "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
          assertThat(socket.getInputStream().read()).isEqualTo('H');
        }
        try (Socket socket = socket(service)) {
          socket.setSoLinger(true, 0);
          write(socket, "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nb");
        }
      }
      assertThat(raw(service, "GET /a HTTP/1.0\r\nHost: localhost\r\n\r\n")).contains("GET /a ");
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(usual);
    }
    assertThat(faults).isEmpty();
  }

  @Test
  void whatIsUnsafeOrNoSuchFileIsRefused() throws Exception {
    assertThatThrownBy(
            () -> HttpService.listen(Listening.plain("0.0.0.0", 0), HttpServiceTest::echo))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("tls");
    Path open = Files.writeString(folder.resolve("open"), FIRST + "\n");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    refused(listening(Optional.empty(), Optional.of(open)), "others");
    refused(listening(Optional.empty(), Optional.of(folder.resolve("absent"))), "cannot be read");
    refused(
        listening(
            Optional.of(
                new Listening.Tls(
                    folder.resolve("server.pem"),
                    folder.resolve("stranger.pem"),
                    Optional.empty())),
            Optional.empty()),
        "stranger.pem");
    refused(
        listening(
            Optional.of(
                new Listening.Tls(
                    folder.resolve("server.key"), folder.resolve("server.key"), Optional.empty())),
            Optional.empty()),
        "certificate");
    assertThatThrownBy(() -> new HttpPeer(URI.create("http://10.0.0.1:7474"), HttpPeer.Access.NONE))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("https");
  }

  private static void refused(Listening where, String words) {
    assertThatThrownBy(() -> HttpService.listen(where, HttpServiceTest::echo))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(words);
  }

  @Test
  void aBodyIsTakenUpToALengthThatIsSaidBefore() throws Exception {
    try (HttpService service =
        HttpService.listen(Listening.plain("127.0.0.1", 0), HttpServiceTest::echo)) {
      HttpPeer peer = new HttpPeer(URI.create(service.address()), HttpPeer.Access.NONE);
      HttpRequest.BodyPublisher text = HttpRequest.BodyPublishers.ofString("a text");
      assertThat(send(peer, peer.request("/a", LONG).POST(text)).body())
          .isEqualTo("POST /a a text");
      assertThat(
              raw(
                  service,
                  "POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"))
          .startsWith("HTTP/1.1 411");
      assertThat(
              raw(service, "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65537\r\n\r\n"))
          .startsWith("HTTP/1.1 413");
      assertThat(raw(service, "GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
          .startsWith("HTTP/1.1 403");
      assertThat(
              raw(
                  service,
                  "POST /a HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil\r\nContent-Length: 0\r\n\r\n"))
          .as("a page that has a browser send a body")
          .startsWith("HTTP/1.1 403");
    }
  }

  @Test
  void aRequestThatTakesTooLongIsCutOffHoweverBusyItIs() throws Exception {
    AtomicLong nanos = new AtomicLong();
    try (HttpService service =
        HttpService.listen(
            Listening.plain("127.0.0.1", 0),
            HttpService.Limits.of(64, 8),
            HttpServiceTest::echo,
            nanos::get)) {
      try (Socket quick = socket(service);
          Socket slow = socket(service)) {
        for (int i = 0; i < 3; i++) {
          write(quick, "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n");
          assertThat(answer(quick)).contains("GET /a ");
          // Between two requests of a connection any time may pass.
          nanos.addAndGet(BoundedConnector.MOST_NANOS);
        }
        write(slow, "GET /a HTTP/1.1\r\nHost: localhost\r\nA: b");
        await()
            .atMost(LONG)
            .until(
                () -> {
                  nanos.addAndGet(BoundedConnector.MOST_NANOS + 1);
                  return isCutOff(slow);
                });
      }
    }
  }

  /** The whole thousand is asked by bench/governor. */
  @Test
  void whatIsNoRequestIsRefusedWithoutAFaultOfOursAndNothingGrows() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Path tokens = secret("tokens", FIRST + "\n");
    try (HttpService service =
        HttpService.listen(
            listening(Optional.empty(), Optional.of(tokens)), HttpServiceTest::echo)) {
      List<Socket> slow = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        Socket socket = socket(service);
        write(socket, "GET /met");
        slow.add(socket);
      }
      for (int i = 0; i < 100; i++) {
        String answer = raw(service, NoRequests.next(random));
        assertThat(answer).as("seed %d", seed).doesNotContain("HTTP/1.1 5").doesNotContain(FIRST);
      }
      for (String request : NoRequests.ODD) {
        assertThat(raw(service, request)).as(request).doesNotContain("HTTP/1.1 5");
      }
      assertThat(ownThreads()).as("of the pool at most").isLessThanOrEqualTo(8 + 2);
      for (Socket socket : slow) {
        socket.close();
      }
      assertThat(raw(service, "GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n"))
          .contains("GET /healthz ");
    }
  }

  private static long ownThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains("calando-http"))
        .count();
  }

  @Test
  void moreConnectionsThanAreTakenWait() throws Exception {
    int most = 5;
    String request = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (HttpService service = within(HttpService.Limits.of(most, 8))) {
      List<Socket> taken = new ArrayList<>();
      for (int i = 0; i < most; i++) {
        taken.add(socket(service));
        write(taken.get(i), request);
        assertThat(answer(taken.get(i))).contains("GET /a ");
      }
      // What accepts may hold one already when the limit is reached.
      List<Socket> waiting = List.of(socket(service), socket(service));
      for (Socket socket : waiting) {
        write(socket, request);
      }
      Socket last = waiting.get(1);
      last.setSoTimeout(200);
      assertThatThrownBy(() -> last.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      last.setSoTimeout((int) LONG.toMillis());
      for (Socket socket : taken) {
        socket.close();
      }
      for (Socket socket : waiting) {
        assertThat(answer(socket)).contains("GET /a ");
        socket.close();
      }
    }
  }

  @Test
  void aBodyThatDoesNotComeIsItsClientsFault() throws Exception {
    String begun = "PUT /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n0123456789";
    try (HttpService service = within(new HttpService.Limits(64, 8, Duration.ofSeconds(1)))) {
      // A machine that is slow may have it idle before the request has come, which is no answer.
      await()
          .atMost(LONG)
          .until(
              () -> {
                try (Socket socket = socket(service)) {
                  write(socket, begun);
                  return readAll(socket);
                }
              },
              answer -> answer.startsWith("HTTP/1.1 408"));
      assertThat(raw(service, begun)).as("it ends").startsWith("HTTP/1.1 400");
    }
  }

  private static HttpService within(HttpService.Limits limits) {
    return HttpService.listen(
        Listening.plain("127.0.0.1", 0), limits, HttpServiceTest::echo, System::nanoTime);
  }

  /** Writes one byte more. */
  private static boolean isCutOff(Socket socket) {
    try {
      write(socket, "b");
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  private static Socket socket(HttpService service) throws IOException {
    Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), URI.create(service.address()).getPort());
    socket.setSoTimeout((int) LONG.toMillis());
    return socket;
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** An answer whose body ends with a blank, as those of the echo. */
  private static String answer(Socket socket) throws IOException {
    StringBuilder answer = new StringBuilder();
    InputStream in = socket.getInputStream();
    while (!answer.toString().matches("(?s).*\r\n\r\n.*/a ")) {
      int next = in.read();
      assertThat(next).as("after " + answer).isNotNegative();
      answer.append((char) next);
    }
    return answer.toString();
  }

  private static String readAll(Socket socket) throws IOException {
    try {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (SocketException reset) {
      return "";
    }
  }

  private static String raw(HttpService service, String request) throws IOException {
    try (Socket socket = socket(service)) {
      write(socket, request);
      socket.shutdownOutput();
      return readAll(socket);
    }
  }
}
