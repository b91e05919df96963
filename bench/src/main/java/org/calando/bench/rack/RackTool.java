package org.calando.bench.rack;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.calando.control.JournalEntry;
import org.calando.core.CalandoException;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.engine.cassandra.OwnRacks;
import org.calando.gears.rack.RackMeans;
import org.calando.gears.rack.RackShifter;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalNode;
import org.calando.power.Ticker;
import org.calando.power.onoff.Lookout;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchBoard;
import org.calando.power.onoff.SwitchTimes;
import org.calando.power.onoff.VerifiedSwitch;
import org.calando.store.cassandra.gear.RackServers;

/** Does what {@code ./calando gear} does, as a process that can be killed. */
public final class RackTool {
  static final String NOBODY = "-";
  private static final Duration KNOCK = Duration.ofSeconds(1);
  private static final Duration BELIEVE = Duration.ofSeconds(4);
  private static final Duration WAIT = Duration.ofMillis(400);

  private RackTool() {}

  /**
   * Arguments: the cluster's folder; down, up, resume or undo; the node whose switch lies; the step
   * that waits for its fault.
   */
  public static void main(String[] args) throws InterruptedException {
    try {
      RackMeans means = waiting(means(LocalCassandra.attach(Path.of(args[0])), args[2]), args[3]);
      RackShifter shifter = new RackShifter(means, "a trial's tool");
      switch (args[1]) {
        case "down" -> shifter.shift(shifter.gears().offIn(1));
        case "up" -> shifter.shift(Set.of());
        case "resume" -> shifter.resume();
        case "undo" -> shifter.undo();
        default -> throw new IllegalArgumentException(args[1]);
      }
      System.exit(0);
    } catch (CalandoException e) {
      System.out.println(e.getMessage());
      System.exit(1);
    }
  }

  static RackMeans means(LocalCassandra cluster, String liar) {
    RackMeans means =
        OwnRacks.local(cluster, KeptCopies.QUORUM, "--local cassandra", System.out::println);
    if (liar.equals(NOBODY)) {
      return means;
    }
    LocalNode node =
        cluster.nodes().stream().filter(each -> each.name().equals(liar)).findFirst().orElseThrow();
    Map<String, PowerSwitch> switches = new HashMap<>(means.board().switches());
    switches.put(
        liar,
        new VerifiedSwitch(
            new Liar(liar, cluster.isRunning(liar)),
            Optional.of(Lookout.port("127.0.0.1", node.jmxPort(), KNOCK)),
            SwitchTimes.USUAL.within(BELIEVE, BELIEVE),
            Ticker.system()));
    return with(
        means,
        means.servers(),
        new SwitchBoard(switches, means.board().telling(), means.board().news()));
  }

  /** Steps may be over within milliseconds: one with a fault waits before it first asks a node. */
  private static RackMeans waiting(RackMeans means, String step) {
    AtomicBoolean waited = new AtomicBoolean(step.equals(NOBODY));
    InvocationHandler ask =
        (proxy, method, args) -> {
          if (!waited.get() && isIn(means.path(), step) && waited.compareAndSet(false, true)) {
            TimeUnit.MILLISECONDS.sleep(WAIT.toMillis());
          }
          try {
            return method.invoke(means.servers(), args);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    RackServers servers =
        (RackServers)
            Proxy.newProxyInstance(
                RackTool.class.getClassLoader(), new Class<?>[] {RackServers.class}, ask);
    return with(means, servers, means.board());
  }

  /** Whether a plan is in that step. */
  static boolean isIn(Path path, String step) {
    return RackShifter.unfinished(path)
        .filter(entry -> entry.event() == JournalEntry.Event.BEGUN)
        .filter(entry -> entry.step().equals(step))
        .isPresent();
  }

  private static RackMeans with(RackMeans means, RackServers servers, SwitchBoard board) {
    return new RackMeans(
        servers,
        board,
        means.path(),
        means.keeps(),
        means.patience(),
        means.named(),
        means.changed(),
        means.offSeconds());
  }

  /** Says what it was told, and does nothing. */
  private static final class Liar implements PowerSwitch {
    private final String name;
    private State state;

    Liar(String name, boolean on) {
      this.name = name;
      this.state = on ? State.ON : State.OFF;
    }

    @Override
    public String describe() {
      return name + ", a switch that lies";
    }

    @Override
    public synchronized State read() {
      return state;
    }

    @Override
    public synchronized void on() {
      state = State.ON;
    }

    @Override
    public synchronized void off() {
      state = State.OFF;
    }

    @Override
    public boolean canForce() {
      return false;
    }

    @Override
    public void forceOff() {
      throw new UnsupportedOperationException();
    }
  }
}
