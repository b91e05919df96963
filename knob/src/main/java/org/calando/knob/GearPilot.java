package org.calando.knob;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.calando.core.CalandoException;
import org.calando.core.layout.gear.GearShift;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.time.DaemonThread;
import org.calando.core.time.RealTimeScheduler;
import org.calando.engine.NodeGears;
import org.calando.engine.ShiftGovernor;
import org.calando.report.column.GearFigures;
import org.calando.report.column.RunRecord;

/**
 * Has the gear of a run's cluster shifted while the run goes, by threads of its own, and keeps
 * account of it. The load is that of the run's clients. Thread safe.
 */
public abstract class GearPilot extends ShiftGovernor implements RunPart {
  private final Flight flight;
  private final Threads threads;
  private final List<GearShift> shifts = new CopyOnWriteArrayList<>();
  private volatile boolean measured;

  /**
   * A run whose gear is shifted.
   *
   * @param gears of its cluster
   * @param move shifts, to the end also where the command is to end meanwhile
   * @param localSeconds since a Monday's 00:00, of local time
   * @param load of the last period; empty if it is not known
   */
  public record Flight(
      NodeGears gears,
      Move move,
      LongSupplier localSeconds,
      Supplier<Optional<GearObservation.Load>> load) {
    /** Shifts; blocks. */
    @FunctionalInterface
    public interface Move {
      /** Shifts to a gear. */
      GearShift to(int gear) throws InterruptedException;
    }
  }

  private record Threads(
      RealTimeScheduler scheduler, ExecutorService asker, ExecutorService shifter) {}

  protected GearPilot(Flight flight) {
    this(
        flight,
        new Threads(
            new RealTimeScheduler("calando-gear-policy"),
            DaemonThread.executor("calando-gear-watch"),
            DaemonThread.executor("calando-gear-shift")));
  }

  private GearPilot(Flight flight, Threads threads) {
    super(
        flight.gears(),
        threads.scheduler(),
        threads.asker(),
        threads.shifter(),
        flight.localSeconds());
    this.flight = flight;
    this.threads = threads;
  }

  /** The run's. */
  protected final Flight flight() {
    return flight;
  }

  /** What asks nodes, one question after the other. */
  protected final ExecutorService asker() {
    return threads.asker();
  }

  /** What shifts, one after the other. */
  protected final ExecutorService shifter() {
    return threads.shifter();
  }

  /** Whose time is the loop's. */
  protected final RealTimeScheduler scheduler() {
    return threads.scheduler();
  }

  @Override
  protected long firstNanos(long periodNanos) {
    return periodNanos;
  }

  @Override
  protected NodeGears.Sight look(boolean dryRun, boolean isUnderWay) {
    return new NodeGears.Sight(isUnderWay ? 0 : flight.gears().failed(), flight.load().get());
  }

  /**
   * Has nodes be as shifts left them; of what shifts, and between shifts.
   *
   * @return what is amiss while nodes are off, one sentence each
   */
  protected final List<String> tended() {
    if (!flight.gears().isLow()) {
      return List.of();
    }
    var unused = super.look(false, false);
    return flight.gears().troubles();
  }

  @Override
  protected void move(int to) throws InterruptedException {
    boolean counts = measured;
    try {
      GearShift done = flight.move().to(to);
      if (counts) {
        shifts.add(done);
      }
    } catch (RuntimeException | InterruptedException e) {
      if (!(e instanceof CalandoException refused && isRefusal(refused))) {
        failed("the shift to gear " + to + " failed: " + first(e));
      }
      throw e;
    }
  }

  /** A shift has failed whose plan is open, or which nobody knows how to go on with. */
  protected abstract void failed(String why);

  /** {@inheritDoc} Such as by hints that are not delivered yet. */
  @Override
  public final boolean isRefusal(CalandoException why) {
    return unfinished().isEmpty();
  }

  /** The first line of what went wrong. */
  protected static String first(Throwable e) {
    return e.getMessage() == null ? e.toString() : e.getMessage().lines().findFirst().orElse("");
  }

  @Override
  public final String words(boolean isUnderWay) {
    return (isUnderWay ? "shifting from gear " : "gear ") + gear();
  }

  @Override
  public void measurementBegan(long nanos) {
    measured = true;
  }

  @Override
  public void measurementEnded(long nanos) {
    measured = false;
  }

  @Override
  public void record(RunRecord found) {
    found.add(GearFigures.of(shifts));
  }

  /** {@inheritDoc} A shift that is under way goes to its end. */
  @Override
  public void close() {
    measured = false;
    threads.scheduler().close();
    threads.asker().shutdownNow();
    threads.shifter().shutdown();
    try {
      var unused = threads.shifter().awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      threads.shifter().shutdownNow();
    }
  }
}
