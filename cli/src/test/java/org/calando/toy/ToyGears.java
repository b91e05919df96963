package org.calando.toy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.calando.control.ShiftGovernor;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.time.Scheduler;
import org.calando.engine.NodeGroups;

/** Two gears in a file, which fail to be shifted while a file {@code broken} is beside it. */
record ToyGears(Path file, double perSecond, NodeProfile profile) implements NodeGroups.Gears {
  /** Names the file; toys have no gears without it. */
  static final String FILE = "toy.gear";

  static Optional<Path> configured() {
    return Optional.ofNullable(System.getProperty(FILE)).map(Path::of);
  }

  @Override
  public String target() {
    return "toy " + file;
  }

  @Override
  public GearModel model() {
    return GearModel.ofEqualNodes(List.of(1, 2), profile, perSecond, 1, CatchUpModel.none(2))
        .in("turns/s");
  }

  @Override
  public ShiftGovernor apply(Scheduler scheduler, Executor executor) {
    return new Shifts(file, scheduler, executor);
  }

  @Override
  public void close() {}

  private static final class Shifts extends ShiftGovernor {
    private final Path file;

    Shifts(Path file, Scheduler scheduler, Executor executor) {
      super(scheduler, executor, () -> 0);
      this.file = file;
    }

    private Path beside(String name) {
      return file.resolveSibling(name);
    }

    @Override
    public String target() {
      return "toy " + file;
    }

    @Override
    protected GearObservation observe() {
      return observed(gear(), 0, Optional.of(new GearObservation.Load(nanos(), 0, 0)));
    }

    @Override
    public int gear() {
      return read(file);
    }

    @Override
    public int highest() {
      return 2;
    }

    @Override
    public Optional<String> unfinished() {
      return Files.exists(beside("plan"))
          ? Optional.of(" to gear " + read(beside("plan")))
          : Optional.empty();
    }

    @Override
    protected void move(int to) {
      write(beside("plan"), to);
      finish();
    }

    @Override
    protected void finish() {
      if (Files.exists(beside("broken"))) {
        throw new FailedWorkException("has no power", "node n2", "mend it");
      }
      write(file, read(beside("plan")));
      try {
        Files.delete(beside("plan"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    protected void begin() {}

    private static int read(Path from) {
      try {
        return Integer.parseInt(Files.readString(from).strip());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void write(Path to, int gear) {
      try {
        Files.writeString(to, gear + "\n");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
