package org.calando.local.grep;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Puts files into HDFS over HTTP, for tests in a module that has no client of HDFS. */
final class WebHdfs {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final HttpClient client = HttpClient.newHttpClient();
  private final String base;

  /** The NameNode's page, {@code 127.0.0.1:PORT}. */
  WebHdfs(String nameNodeHttp) {
    base = "http://" + nameNodeHttp + "/webhdfs/v1";
  }

  /** Writes a file: the NameNode tells where, the DataNode takes it. */
  void put(String path, byte[] content, long blockBytes) throws IOException, InterruptedException {
    String query =
        "?op=CREATE&user.name="
            + System.getProperty("user.name")
            + "&overwrite=true&replication=1&blocksize="
            + blockBytes;
    HttpResponse<String> where =
        client.send(
            request(URI.create(base + path + query)).PUT(BodyPublishers.noBody()).build(),
            BodyHandlers.ofString());
    URI node = URI.create(where.headers().firstValue("Location").orElseThrow());
    HttpResponse<String> answer =
        client.send(
            request(node).PUT(BodyPublishers.ofByteArray(content)).build(),
            BodyHandlers.ofString());
    if (answer.statusCode() != 201) {
      throw new IOException(answer.statusCode() + ": " + answer.body());
    }
  }

  /** What the NameNode says of a folder's files, JSON. */
  String list(String folder) throws IOException, InterruptedException {
    URI uri = URI.create(base + folder + "?op=LISTSTATUS");
    return client.send(request(uri).GET().build(), BodyHandlers.ofString()).body();
  }

  private static HttpRequest.Builder request(URI uri) {
    return HttpRequest.newBuilder(uri).timeout(LONG);
  }
}
