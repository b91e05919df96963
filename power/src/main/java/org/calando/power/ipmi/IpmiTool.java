package org.calando.power.ipmi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.calando.core.time.DaemonThread;
import org.calando.power.MeterException;

/**
 * A running {@code ipmitool exec} that takes commands on its standard input, in one session with
 * the controller.
 *
 * <p>Not {@code ipmitool shell}: at the end of its input that one does not end but asks the
 * controller to keep the session alive, for ever. {@code exec} ends and frees the session, also
 * when the process that started it was killed.
 *
 * <p>A reader thread takes its lines, a bounded number of them. Thread safe.
 */
final class IpmiTool {
  private static final int MAX_CHARACTERS = 512 * 1024;

  private final Process process;
  private final Deque<String> lines = new ArrayDeque<>();
  private int characters;
  private boolean ended;

  private IpmiTool(Process process) {
    this.process = process;
  }

  /**
   * Starts it.
   *
   * @param sdrCache a file that {@code sdr dump} wrote, which saves reading the sensors' records
   * @throws MeterException if a program is missing or the password cannot be read
   */
  static IpmiTool start(IpmiAddress address, Optional<Path> sdrCache) throws MeterException {
    // Without stdbuf, answers would wait in a buffer until the program ends.
    List<String> command = new ArrayList<>(List.of("stdbuf", "-oL", "ipmitool", "-v"));
    command.addAll(address.options());
    sdrCache.ifPresent(file -> command.addAll(List.of("-S", file.toString())));
    command.addAll(List.of("exec", "/dev/stdin"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    builder.environment().remove("IPMI_PASSWORD");
    builder.environment().remove("IPMITOOL_PASSWORD");
    address
        .readPassword()
        .ifPresent(password -> builder.environment().put("IPMITOOL_PASSWORD", password));
    try {
      IpmiTool tool = new IpmiTool(builder.start());
      var unused = DaemonThread.start("ipmitool " + address.describe(), tool::readAll);
      return tool;
    } catch (IOException e) {
      throw new MeterException(
          "stdbuf cannot be started", "ipmi " + address.describe(), "install coreutils", e);
    }
  }

  private void readAll() {
    StringBuilder line = new StringBuilder();
    byte[] buffer = new byte[4096];
    try (InputStream output = process.getInputStream()) {
      for (int length = output.read(buffer); length >= 0; length = output.read(buffer)) {
        for (char c : new String(buffer, 0, length, StandardCharsets.ISO_8859_1).toCharArray()) {
          if (c == '\n') {
            add(line.toString().strip());
            line.setLength(0);
          } else {
            line.append(c);
          }
        }
        if (line.length() > MAX_CHARACTERS) {
          break;
        }
      }
    } catch (IOException e) {
      // The process was ended while it wrote.
    } finally {
      add(line.toString().strip());
      end();
    }
  }

  private synchronized void add(String line) {
    characters += line.length() + 1;
    if (characters > MAX_CHARACTERS) {
      kill();
      return;
    }
    lines.add(line);
    notifyAll();
  }

  private synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** Gives it lines of commands; false if it takes none any more. */
  boolean write(String commands) {
    try {
      process.getOutputStream().write((commands + "\n").getBytes(StandardCharsets.ISO_8859_1));
      process.getOutputStream().flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The next line of its output.
   *
   * @param untilNanos when to give up, on {@link System#nanoTime}
   * @return empty if there was none in time, or if it has {@link #hasEnded}
   */
  synchronized Optional<String> readLine(long untilNanos) throws InterruptedException {
    while (lines.isEmpty() && !ended) {
      long millis = (untilNanos - System.nanoTime() + 999_999) / 1_000_000;
      if (millis <= 0) {
        return Optional.empty();
      }
      wait(millis);
    }
    String line = lines.poll();
    characters -= line == null ? 0 : line.length() + 1;
    return Optional.ofNullable(line);
  }

  /** Whether it has ended and all of its lines were read. */
  synchronized boolean hasEnded() {
    return ended && lines.isEmpty();
  }

  /** Asks it to end, which frees the session. */
  void closeInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It does not read any more, so it ends anyway.
    }
  }

  /** Waits for its end; false if it still runs then. */
  synchronized boolean awaitEnd(long untilNanos) throws InterruptedException {
    while (!ended) {
      long millis = (untilNanos - System.nanoTime() + 999_999) / 1_000_000;
      if (millis <= 0) {
        return false;
      }
      wait(millis);
    }
    return true;
  }

  /** Ends it at once; the controller drops the session when it has been idle for a minute. */
  void kill() {
    process.destroyForcibly();
  }
}
