package org.calando.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.study.Progress;
import picocli.CommandLine.Option;

/** How a command answers. */
public final class OutputOptions {
  private static final int DEFAULT_COLUMNS = 80;
  private static final Path ERROR_STREAM = Path.of("/proc/self/fd/2");

  @Option(
      names = "--json",
      description = "Answers with JSON on standard output; errors are JSON on standard error.")
  private boolean json;

  public boolean json() {
    return json;
  }

  /** Prints an answer on standard output, as JSON or in lines. */
  public void print(JsonNode answer, List<String> lines) {
    PrintStream stdout = new PrintStream(System.out, true, charset());
    if (json) {
      stdout.println(answer.toPrettyString());
    } else {
      lines.forEach(stdout::println);
    }
  }

  /**
   * Progress on standard error, so that standard output holds nothing but the answer; rewritten in
   * place where a person watches.
   */
  public Progress progress() {
    return new Progress(System.err, isTerminal(ERROR_STREAM), columns());
  }

  /** The character set that the terminal shows. */
  public static Charset charset() {
    String name = System.getProperty("sun.stdout.encoding", System.getProperty("native.encoding"));
    return name != null && Charset.isSupported(name)
        ? Charset.forName(name)
        : Charset.defaultCharset();
  }

  /** Unlike System.console, asks about one stream only: the answer may well go to a file. */
  private static boolean isTerminal(Path stream) {
    try {
      String target = Files.readSymbolicLink(stream).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private static int columns() {
    String given = System.getenv("COLUMNS");
    return given != null && given.matches("[1-9]\\d{1,3}")
        ? Integer.parseInt(given)
        : DEFAULT_COLUMNS;
  }
}
