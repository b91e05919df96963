package org.calando.study;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * The golden files of a simulated study's folder. Whole are the table, what is published of the
 * paper, the environment, and the first lines of one run's files; of all others, and of the
 * report's sections, there are the SHA-256. What differs from machine to machine and from day to
 * day is replaced here and nowhere else.
 */
final class GoldenRuns {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String LATENCIES = "latency.hlog";

  /** Lines of a sample. A summary is shown whole. */
  private static final int SAMPLE_LINES = 12;

  private static final Pattern SECTION =
      Pattern.compile("(?s)<(?:section|nav|header)\\b.*?</(?:section|nav|header)>");
  private static final String ANSWER = "<section class=\"answer\"";
  private static final Pattern HEADING = Pattern.compile("(?s)<h[12][^>]*>(.*?)</h[12]>");
  private static final Pattern DATA =
      Pattern.compile("(?s)<script type=\"application/json\" id=\"([^\"]*)\">(.*?)</script>");

  private GoldenRuns() {}

  /** Texts by the names of their files. */
  static Map<String, String> of(Path out) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    texts.put("environment.json", environment(out));
    StudyReport.write(out); // anew, of that environment
    texts.put("report.txt", report(out));
    for (String name : List.of("study.yaml", "results.csv", "published.csv")) {
      if (Files.exists(out.resolve(name))) {
        texts.put(name, Files.readString(out.resolve(name)));
      }
    }
    StringBuilder sums = new StringBuilder();
    for (Path file : runFiles(out)) {
      String name = file.getFileName().toString();
      byte[] bytes = name.equals(LATENCIES) ? latencies(file) : Files.readAllBytes(file);
      sums.append(sha256(bytes)).append("  ").append(out.relativize(file)).append('\n');
      if (!name.equals(LATENCIES)) {
        texts.putIfAbsent("sample-" + name, sample(name, bytes));
      }
    }
    texts.put("sha256.txt", sums.toString());
    return texts;
  }

  private static List<Path> runFiles(Path out) throws IOException {
    try (Stream<Path> files = Files.walk(out.resolve("runs"))) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Written back into the folder too, for the report. */
  private static String environment(Path out) throws IOException {
    Path file = out.resolve("environment.json");
    ObjectNode json = (ObjectNode) JSON.readTree(file.toFile());
    json.putObject("calando").put("version", "BUILD").put("commit", "BUILD"); // of each build
    ObjectNode host = json.putObject("host"); // whatever machine this is
    for (String fact : List.of("cpu", "os", "kernel", "java")) {
      host.put(fact, "HOST");
    }
    host.put("cores", 2).put("memory_bytes", 1L << 30);
    json.put("out", "OUT"); // the tests' folder
    json.put("started", "1970-01-01T00:00:00Z").put("finished", "1970-01-01T00:00:00Z"); // now
    Files.writeString(file, StudyFolder.pretty(json));
    return StudyFolder.pretty(json);
  }

  /** What a report consists of; all that comes of Calando itself, not the library of charts. */
  private static String report(Path out) throws IOException {
    String html = Files.readString(out.resolve("report.html")).replace(out.toString(), "OUT");
    StringBuilder parts = new StringBuilder();
    Matcher section = SECTION.matcher(html);
    while (section.find()) {
      Matcher heading = HEADING.matcher(section.group());
      parts.append(sha256(section.group().getBytes(UTF_8)));
      parts.append("  ").append(heading.find() ? heading.group(1) : "-").append('\n');
      if (section.group().startsWith(ANSWER)) {
        parts.append(section.group().replaceAll("<[^>]*>", "\n").replaceAll("\n+", "\n"));
      }
    }
    Matcher data = DATA.matcher(html);
    while (data.find()) {
      parts.append(sha256(data.group(2).getBytes(UTF_8)));
      parts.append("  ").append(data.group(1)).append('\n');
    }
    return parts.toString();
  }

  /** Not as they are compressed, which is another on a machine with another zlib. */
  private static byte[] latencies(Path file) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String line : Files.readAllLines(file)) {
      int histogram = line.indexOf("HISTF");
      bytes.writeBytes((histogram < 0 ? line : line.substring(0, histogram)).getBytes(UTF_8));
    }
    try (HistogramLogReader log = new HistogramLogReader(file.toFile())) {
      while (log.hasNext()) {
        Histogram histogram = (Histogram) log.nextIntervalHistogram();
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        bytes.write(buffer.array(), 0, histogram.encodeIntoByteBuffer(buffer));
      }
    }
    return bytes.toByteArray();
  }

  private static String sample(String name, byte[] bytes) {
    String text = new String(bytes, UTF_8);
    return name.endsWith(".csv")
        ? text.lines().limit(SAMPLE_LINES).collect(Collectors.joining("\n", "", "\n"))
        : text;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
