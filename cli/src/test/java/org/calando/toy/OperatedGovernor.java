package org.calando.toy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.calando.clock.LeaseFolders;
import org.calando.governor.DecisionFolders;
import org.calando.governor.GovernorNews;
import org.calando.governor.GovernorService;
import org.calando.governor.http.GovernorHttp;
import org.calando.http.server.HttpService;
import org.calando.studyfile.ServiceSpec;
import org.calando.studyfile.StudyFile;

/** A governor in a folder, which operators call. Not thread safe, but for its calls. */
final class OperatedGovernor implements AutoCloseable {
  static final String OPERATOR = "operator-operator-operator-operat";
  static final String VIEWER = "viewer-viewer-viewer-viewer-viewe";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final GovernorService service;
  private final HttpService http;

  private OperatedGovernor(GovernorService service, HttpService http) {
    this.service = service;
    this.http = http;
  }

  /** An answer, whose body is JSON. */
  record Told(int status, JsonNode body) {}

  /** Begins one of a file that has {@code token-file: tokens}, which this writes. */
  static OperatedGovernor start(Path folder, String file, GovernorNews news)
      throws IOException, InterruptedException {
    Path tokens = folder.resolve("tokens");
    Files.writeString(tokens, "operator ann " + OPERATOR + "\nviewer bob " + VIEWER + "\n");
    Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
    Path yaml = Files.writeString(folder.resolve("govern.yaml"), file);
    ServiceSpec spec = StudyFile.readService(yaml, List.of(), folder::resolve);
    GovernorService service =
        GovernorService.of(
            spec,
            folder,
            LeaseFolders.in(folder.resolve("state")),
            "test",
            new DecisionFolders(
                name -> folder.resolve("decisions-" + name),
                target -> folder.resolve("gear-decisions")),
            news);
    boolean begun = false;
    try {
      HttpService http = GovernorHttp.listen(spec.listen().orElseThrow(), service);
      service.begin();
      begun = true;
      return new OperatedGovernor(service, http);
    } finally {
      if (!begun) {
        service.close();
      }
    }
  }

  GovernorService service() {
    return service;
  }

  /** Reads the tokens again. */
  void reload() {
    http.reload();
  }

  String address() {
    return http.address();
  }

  static HttpResponse<String> send(HttpRequest request) {
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A request with a token, and what a test adds. */
  static HttpRequest.Builder request(String address, String path, Optional<String> token) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path)).timeout(LONG);
    token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
    return request;
  }

  Told get(String path) {
    return get(address(), path);
  }

  static Told get(String address, String path) {
    return told(send(request(address, path, Optional.of(VIEWER)).GET().build()));
  }

  Told post(String path, String body) {
    return post(address(), path, body);
  }

  static Told post(String address, String path, String body) {
    return post(address, path, body, Optional.of(OPERATOR), request -> {});
  }

  static Told post(
      String address,
      String path,
      String body,
      Optional<String> token,
      Consumer<HttpRequest.Builder> more) {
    HttpRequest.Builder request =
        request(address, path, token)
            .setHeader("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    more.accept(request);
    return told(send(request.build()));
  }

  private static Told told(HttpResponse<String> answer) {
    try {
      boolean isJson =
          answer.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
      return new Told(
          answer.statusCode(),
          isJson ? JSON.readTree(answer.body()) : JSON.valueToTree(answer.body()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    http.close();
    service.close();
  }
}
