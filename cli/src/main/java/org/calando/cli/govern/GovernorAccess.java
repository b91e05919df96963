package org.calando.cli.govern;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.calando.cli.StateFolder;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.http.HttpPeer;
import org.calando.http.Listening;
import org.calando.studyfile.StudyFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A governor that runs, and how it is asked. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class GovernorAccess {
  static final String TOKEN_FILE = "CALANDO_TOKEN_FILE";

  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final ObjectMapper JSON = new ObjectMapper();

  @Parameters(
      index = "0",
      paramLabel = "GOVERNOR",
      description = "Its file, or where it listens: http://127.0.0.1:7474.")
  private String governor;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "File of the token that is shown; by default the one that the variable "
              + TOKEN_FILE
              + " names. Others must not read it.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description =
          "Authorities to trust, in PEM; by default the certificate that the governor's file names,"
              + " or those of the system.")
  private @Nullable Path caFile;

  /**
   * Asks for a document.
   *
   * @throws BadRequestException if it is refused
   * @throws FailedWorkException if the governor does not answer
   */
  JsonNode get(String path) throws InterruptedException {
    HttpPeer peer = peer();
    return answer(peer, peer.request(path, TIMEOUT).GET().build());
  }

  /** Has something changed, or asks what would be; fails as {@link #get}. */
  JsonNode post(String path, JsonNode body) throws InterruptedException {
    HttpPeer peer = peer();
    return answer(
        peer,
        peer.request(path, TIMEOUT)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build());
  }

  private JsonNode answer(HttpPeer peer, HttpRequest request) throws InterruptedException {
    HttpResponse<String> answer;
    try {
      answer = peer.ask(request).get();
    } catch (ExecutionException e) {
      throw new FailedWorkException(
          "the governor does not answer: " + e.getCause(),
          governor,
          "see that it runs, and that this is where it listens",
          e);
    }
    JsonNode json;
    try {
      json = JSON.readTree(answer.body());
    } catch (JsonProcessingException e) {
      json = JSON.createObjectNode();
    }
    if (answer.statusCode() == 200) {
      return json;
    }
    String problem = json.path("problem").asText(answer.body().strip());
    String remedy = json.path("remedy").asText("see docs/governor-api.md");
    if (answer.statusCode() >= 500) {
      throw new FailedWorkException(problem, governor, remedy);
    }
    throw new BadRequestException(problem, governor, remedy);
  }

  private HttpPeer peer() {
    if (governor.contains("://")) {
      return new HttpPeer(URI.create(governor), access(Optional.ofNullable(caFile)));
    }
    Path file = Path.of(governor);
    Listening where =
        StudyFile.readService(file, List.of(), StateFolder::local)
            .listen()
            .filter(listens -> listens.port() > 0)
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "does not say where its governor listens",
                        governor,
                        "write listen, or give the address that the governor printed"));
    String host = where.address().contains(":") ? "[" + where.address() + "]" : where.address();
    URI address =
        URI.create(
            (where.tls().isPresent() ? "https" : "http") + "://" + host + ":" + where.port());
    Optional<Path> ca =
        Optional.ofNullable(caFile).or(() -> where.tls().map(Listening.Tls::certificate));
    return new HttpPeer(address, access(ca));
  }

  private HttpPeer.Access access(Optional<Path> ca) {
    Optional<Path> token =
        Optional.ofNullable(tokenFile)
            .or(() -> Optional.ofNullable(System.getenv(TOKEN_FILE)).map(Path::of));
    return new HttpPeer.Access(ca, Optional.empty(), Optional.empty(), token);
  }
}
