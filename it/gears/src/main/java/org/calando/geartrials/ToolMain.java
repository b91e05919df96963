package org.calando.geartrials;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.calando.control.Patience;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearFile;
import org.calando.gears.CatchUpPace;
import org.calando.gears.GearFiles;
import org.calando.gears.GearMeans;
import org.calando.gears.GearShifter;
import org.calando.gears.HdfsGears;
import org.calando.gears.ShiftNews;
import org.calando.power.onoff.PowerSwitch;

/** Shifts a gear; switches are behind standard input and output. */
public final class ToolMain {
  static final String READY = "ready";
  static final String THROUGH = "through";
  static final String ASK = "ask ";

  private ToolMain() {}

  /** Arguments: the NameNode's URI and HTTP address, hosts file, gear file, gear. */
  public static void main(String[] args) throws InterruptedException {
    Path path = Path.of(args[3]);
    GearFile file = GearFiles.read(path);
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Map<String, PowerSwitch> switches = new TreeMap<>();
    file.nodes().forEach(name -> switches.put(name, new PipeSwitch(name, answers)));
    try (HdfsGears gears = HdfsGears.open(args[0], args[1], Path.of(args[2]), file)) {
      System.out.println(READY);
      GearMeans means =
          new GearMeans(
              gears,
              path,
              file,
              switches,
              Patience.usual(),
              CatchUpPace.FOREGROUND,
              ShiftNews.NONE);
      new GearShifter(means, "a trial's tool").shift(Integer.parseInt(args[4]));
      System.out.println(THROUGH);
    }
  }

  /**
   * Asks the process that started this one.
   *
   * @param name of the node
   * @param answers a line each
   */
  private record PipeSwitch(String name, BufferedReader answers) implements PowerSwitch {
    @Override
    public String describe() {
      return name + ", behind a pipe";
    }

    @Override
    public State read() {
      return State.valueOf(ask("read"));
    }

    @Override
    public void on() {
      requireDone(ask("on"));
    }

    @Override
    public void off() {
      requireDone(ask("off"));
    }

    @Override
    public boolean canForce() {
      return false;
    }

    @Override
    public void forceOff() {
      throw new UnsupportedOperationException();
    }

    private void requireDone(String answer) {
      if (!answer.equals("done")) {
        throw new FailedWorkException(answer, name, "see the trial");
      }
    }

    private String ask(String what) {
      try {
        System.out.println(ASK + what + " " + name);
        String answer = answers.readLine();
        if (answer == null) {
          throw new IOException("nobody answers");
        }
        return answer;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
