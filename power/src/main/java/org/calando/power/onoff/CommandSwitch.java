package org.calando.power.onoff;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.calando.power.onoff.BoundedCommand.Outcome;

/**
 * Programs of the user's own that turn a node on and off and tell which it is. They are started
 * without a shell, without input, and killed when they take too long. Immutable and thread safe.
 */
public final class CommandSwitch implements PowerSwitch {
  private static final int ON_CODE = 0;

  /** As of init scripts and {@code systemctl is-active}: what is asked for does not run. */
  private static final int OFF_CODE = 3;

  private final String node;
  private final Commands commands;
  private final BoundedCommand runner;

  /**
   * The programs, each with its arguments, and what the last one's answer means.
   *
   * @param on turns the node on
   * @param off asks it to go off
   * @param forceOff turns it off without asking; empty if nothing does
   * @param status tells what it is
   * @param onWhen what is found in the answer of {@code status} if the node is on; given together
   *     with {@code offWhen}. Without them exit code 0 is on, 3 is off, and all others tell
   *     nothing.
   * @param offWhen what is found in it if the node is off
   */
  public record Commands(
      List<String> on,
      List<String> off,
      Optional<List<String>> forceOff,
      List<String> status,
      Optional<Pattern> onWhen,
      Optional<Pattern> offWhen) {
    /** Copies the lists and refuses what cannot be run or read. */
    public Commands {
      on = argv(on);
      off = argv(off);
      forceOff = forceOff.map(Commands::argv);
      status = argv(status);
      if (onWhen.isPresent() != offWhen.isPresent()) {
        throw new IllegalArgumentException("on-when and off-when are given together");
      }
    }

    private static List<String> argv(List<String> words) {
      if (words.isEmpty() || words.get(0).isEmpty()) {
        throw new IllegalArgumentException("a command begins with a program");
      }
      return List.copyOf(words);
    }
  }

  /**
   * A switch.
   *
   * @param node the node's name, for messages
   * @param askWithin how long one program may take
   */
  public CommandSwitch(String node, Commands commands, Duration askWithin) {
    this.node = node;
    this.commands = commands;
    this.runner = new BoundedCommand(describe(), askWithin);
  }

  @Override
  public String describe() {
    return node + ", commands of its switch";
  }

  @Override
  public State read() throws InterruptedException {
    Outcome outcome = runner.run(commands.status());
    if (commands.onWhen().isEmpty() || commands.offWhen().isEmpty()) {
      return switch (outcome.exitCode()) {
        case ON_CODE -> State.ON;
        case OFF_CODE -> State.OFF;
        default -> State.UNKNOWN;
      };
    }
    boolean on = commands.onWhen().get().matcher(outcome.output()).find();
    boolean off = commands.offWhen().get().matcher(outcome.output()).find();
    if (on == off) {
      return State.UNKNOWN;
    }
    return on ? State.ON : State.OFF;
  }

  @Override
  public void on() throws InterruptedException {
    runner.order(commands.on());
  }

  @Override
  public void off() throws InterruptedException {
    runner.order(commands.off());
  }

  @Override
  public boolean canForce() {
    return commands.forceOff().isPresent();
  }

  @Override
  public void forceOff() throws InterruptedException {
    runner.order(
        commands
            .forceOff()
            .orElseThrow(() -> new UnsupportedOperationException("there is no force-off")));
  }
}
