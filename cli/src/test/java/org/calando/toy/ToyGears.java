package org.calando.toy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.engine.NodeGears;

/** Two gears in a file, which fail to be shifted while a file {@code broken} is beside it. */
final class ToyGears extends NodeGears {
  /** Names the file; toys have no gears without it. */
  static final String FILE = "toy.gear";

  private final Path file;

  ToyGears(User user, Path file) {
    super(user);
    this.file = file;
  }

  static Optional<Path> configured() {
    return Optional.ofNullable(System.getProperty(FILE)).map(Path::of);
  }

  private Path beside(String name) {
    return file.resolveSibling(name);
  }

  @Override
  public String target() {
    return "toy " + file;
  }

  @Override
  public GearModel model() {
    return model(1).in("turns/s");
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
  public int nodesOn(int gear) {
    return gear;
  }

  @Override
  public int failed() {
    return 0;
  }

  @Override
  protected Sight look() {
    return new Sight(0, Optional.of(new GearObservation.Load(nanos(), 0, 0)));
  }

  @Override
  public Optional<String> unfinished() {
    return Files.exists(beside("plan"))
        ? Optional.of(" to gear " + read(beside("plan")))
        : Optional.empty();
  }

  @Override
  public String status() {
    return "./calando toy";
  }

  @Override
  protected void move(int to) {
    write(beside("plan"), to);
    settle();
  }

  @Override
  public void settle() {
    if (Files.exists(beside("broken"))) {
      throw new FailedWorkException("has no power", "node n2", "fix it");
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
