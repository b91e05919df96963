package org.calando.power.ipmi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.calando.power.MeterException;
import org.calando.power.Ticker;

/**
 * A session with a controller that outlives single readings.
 *
 * <p>Starting ipmitool and agreeing on keys takes some 60 ms against a simulator and 0.2 to 1 s
 * with real controllers, which have few sessions; a command in an open session takes 1 to 20 ms. A
 * session that fails is given up and the next reading opens another one. Opening may take longer
 * than one reading has time: the next one goes on waiting, for at most {@link #OPENING_NANOS}. The
 * same holds for a command that is not answered in time, because killing ipmitool at once would
 * leave a session open at the controller each time.
 *
 * <p>One thread uses it at a time; {@link #close} may come from another.
 */
final class IpmiSession implements AutoCloseable {
  private static final long OPENING_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(4);
  private static final long CLOSING_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int MAX_LINES = 20_000;

  private final IpmiAddress address;
  private final Ticker ticker;
  private volatile Optional<Path> sdrCache = Optional.empty();
  private volatile boolean closed;
  private volatile Optional<IpmiTool> tool = Optional.empty();
  private List<String> answer = new ArrayList<>();
  private long marker;
  private long awaited;
  private long askedNanos;
  private boolean open;

  IpmiSession(IpmiAddress address, Ticker ticker) {
    this.address = address;
    this.ticker = ticker;
  }

  /** Uses a file with the sensors' records from the next opening on. */
  void useSdrCache(Path file) {
    sdrCache = Optional.of(file);
  }

  /**
   * Runs a command of ipmitool.
   *
   * @param command with its arguments, one line
   * @param deadlineNanos when to give up, on the session's ticker
   * @return what it wrote, errors included, as lines without surrounding blanks
   * @throws MeterException if the controller refuses the session or does not answer
   */
  List<String> run(String command, long deadlineNanos) throws MeterException, InterruptedException {
    long untilNanos = System.nanoTime() + Math.max(0, deadlineNanos - ticker.nanos());
    if (closed) {
      throw IpmiProblems.problem(address, "the meter has been closed", "");
    }
    if (tool.isEmpty()) {
      start();
    }
    if (marker != awaited) {
      // Opening, or a command whose reading gave up.
      awaitMarker(untilNanos);
    }
    open = true;
    send(command);
    return awaitMarker(untilNanos);
  }

  private void start() throws MeterException {
    IpmiTool started = IpmiTool.start(address, sdrCache);
    tool = Optional.of(started);
    if (closed) {
      started.kill();
    }
    open = false;
    // It was started verbose, so that it tells why a session is refused.
    send("set verbose 0");
  }

  /** The marker is a command that ipmitool refuses by name, which shows that the last has ended. */
  private void send(String command) throws MeterException {
    marker++;
    answer = new ArrayList<>();
    askedNanos = System.nanoTime();
    if (!tool.orElseThrow().write(command + "\nset verbose " + token(marker))) {
      awaited = marker;
      throw giveUp(List.of());
    }
  }

  private static String token(long number) {
    return "end" + number;
  }

  private List<String> awaitMarker(long untilNanos) throws MeterException, InterruptedException {
    IpmiTool running = tool.orElseThrow();
    String end = "'" + token(marker) + "'";
    while (true) {
      Optional<String> line = running.readLine(untilNanos);
      if (line.isPresent() && line.get().contains(end)) {
        awaited = marker;
        return answer;
      } else if (line.isPresent()) {
        answer.add(line.get());
        if (answer.size() > MAX_LINES) {
          throw giveUp(List.of("the answer has more than " + MAX_LINES + " lines"));
        }
      } else if (running.hasEnded()) {
        throw giveUp(answer);
      } else {
        throw timedOut();
      }
    }
  }

  private MeterException timedOut() {
    long patience = open ? STUCK_NANOS : OPENING_NANOS;
    if (System.nanoTime() - askedNanos > patience) {
      return giveUp(answer);
    }
    return IpmiProblems.noAnswerYet(address, open);
  }

  private MeterException giveUp(List<String> output) {
    discard();
    return IpmiProblems.explain(address, output);
  }

  /** Ends the session; the next command opens another one. */
  void discard() {
    Optional<IpmiTool> old = tool;
    tool = Optional.empty();
    awaited = marker;
    open = false;
    old.ifPresent(IpmiSession::end);
  }

  private static void end(IpmiTool old) {
    old.closeInput();
    try {
      if (!old.awaitEnd(System.nanoTime() + CLOSING_NANOS)) {
        old.kill();
      }
    } catch (InterruptedException e) {
      old.kill();
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    tool.ifPresent(IpmiSession::end);
  }
}
