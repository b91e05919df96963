package org.calando.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.engine.hdfs.OwnGears;
import org.calando.gears.CatchUpPace;
import org.calando.gears.GearDoctor;
import org.calando.gears.GearMeans;
import org.calando.gears.GearShifter;
import org.calando.gears.GearStatus;
import org.calando.gears.Remedies;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.studyfile.StudyFile;

/** A geared HDFS that a command works on. Not thread safe. */
final class GearAccess implements GearWork {
  private static final String LOCAL = "--local";

  private final OwnGears own;
  private final GearProgress news;

  private GearAccess(OwnGears own, GearProgress news) {
    this.own = own;
    this.news = news;
  }

  /**
   * A user's own by its inventory; without one that which he started on this machine.
   *
   * @throws BadRequestException as {@link #of(Path, CatchUpPace, GearProgress)} and {@link #local}
   */
  static GearAccess of(Optional<Path> inventory, CatchUpPace pace, GearProgress news) {
    return inventory.isPresent() ? of(inventory.get(), pace, news) : local(pace, news);
  }

  /**
   * That which the user started on this machine.
   *
   * @throws BadRequestException if there is none, or it has no gears
   */
  static GearAccess local(CatchUpPace pace, GearProgress news) {
    return new GearAccess(
        OwnGears.local(StateFolder.local(LocalHdfs.ENGINE), LOCAL, pace, news), news);
  }

  /**
   * A user's own; that of {@code local start} by the inventory that it wrote, too.
   *
   * @throws BadRequestException if the file is wrong
   */
  private static GearAccess of(Path inventory, CatchUpPace pace, GearProgress news) {
    if (isLocalInventory(inventory)) {
      return local(pace, news);
    }
    return new GearAccess(
        OwnGears.of(
            StudyFile.readInventory(inventory),
            inventory.toString(),
            "--inventory " + Shell.quote(inventory.toString()),
            pace,
            news,
            OwnGears.ANSWER),
        news);
  }

  /** Whether a file is the inventory that {@code local start} wrote. */
  private static boolean isLocalInventory(Path file) {
    return StateFolder.localEngine(file)
        .filter(engine -> engine.id().equals(LocalHdfs.ENGINE))
        .isPresent();
  }

  GearMeans means() {
    return own.means();
  }

  /** Whether it is that of {@code local start}. */
  private boolean isLocal() {
    return means().named().equals(LOCAL);
  }

  @Override
  public Optional<String> openPlan() {
    return GearShifter.unfinished(means().path()).map(last -> Remedies.plan(means()));
  }

  /**
   * A node as the gear file has it.
   *
   * @param node its number, or itself
   */
  private String node(String node) {
    List<String> nodes = means().file().nodes();
    if (nodes.contains(node)) {
      return node;
    }
    if (node.matches("[1-9]\\d{0,3}") && Integer.parseInt(node) <= nodes.size()) {
      return nodes.get(Integer.parseInt(node) - 1);
    }
    throw new BadRequestException(
        "there is no node '" + node + "'",
        "--without",
        "give a number from 1 to " + nodes.size() + ", or one of " + String.join(", ", nodes));
  }

  /**
   * Refuses a cluster of which a node that is to be on does not serve.
   *
   * @throws FailedWorkException as {@code gear status} has it
   */
  private void requireServing() {
    List<GearDoctor.Finding> missing = GearDoctor.missing(means());
    if (!missing.isEmpty()) {
      GearDoctor.Finding first = missing.get(0);
      String more = missing.size() == 1 ? "" : " (and of " + (missing.size() - 1) + " more)";
      throw new FailedWorkException(first.says() + more, first.what(), first.remedy());
    }
  }

  @Override
  public Told status() {
    GearStatus status = GearStatus.of(means());
    return new Told(GearAnswer.of(status, isLocal()), status.isWell());
  }

  @Override
  public Told doctor() {
    GearDoctor doctor = GearDoctor.of(means());
    return new Told(GearAnswer.of(doctor), doctor.isWell());
  }

  @Override
  public Answer plan(int to, String profile) throws InterruptedException {
    GearShifter shifter = new GearShifter(means(), "./calando gear plan");
    int from = shifter.gear();
    List<String> steps = shifter.dryRun(to);
    Optional<GearPrice> price =
        to == from
            ? Optional.empty()
            : Optional.of(
                GearPrice.of(
                    GearStatus.of(means()), own.profiles(), profile, to, own.offSeconds()));
    return GearAnswer.plan(from, to, steps, price);
  }

  @Override
  public Answer shift(Order order) throws InterruptedException {
    GearShifter shifter = new GearShifter(means(), order.command());
    int from = shifter.gear();
    boolean open = openPlan().isPresent();
    UnfinishedPlanOptions unfinished = order.unfinished();
    if (unfinished.abandon) {
      shifter.abandon();
    } else if (unfinished.undo) {
      reviveIf(open, shifter);
      shifter.undo();
    } else if (unfinished.resume) {
      reviveIf(open, shifter);
      shifter.resume();
      requireServing();
    } else {
      Optional<Answer> without = begin(order, shifter, from, open);
      if (without.isPresent()) {
        return without.get();
      }
    }
    return GearAnswer.shifted(from, shifter.gear(), news.totals());
  }

  /** Shifts; an answer where there is nothing to shift. */
  private Optional<Answer> begin(Order order, GearShifter shifter, int from, boolean open)
      throws InterruptedException {
    int highest = means().file().layout().groups().gears();
    int direction = order.direction();
    int to = order.to().orElse(Math.max(1, Math.min(highest, from + direction)));
    shifter.requireGear(to);
    requireDirection(from, to, direction);
    boolean end = order.to().isEmpty() && to == from && order.without().isEmpty();
    boolean stays = to == from && !open && (direction < 0 || end);
    if (order.dryRun()) {
      List<String> again = direction < 0 ? List.of() : shifter.dryRevive();
      List<String> steps = stays ? again : shifter.dryRun(to);
      return Optional.of(GearAnswer.plan(from, to, steps, Optional.empty()));
    }
    Set<String> without = order.without().stream().map(this::node).collect(Collectors.toSet());
    if (!open && !stays) {
      // A request that is refused switches nothing.
      shifter.require(to, without);
    }
    reviveIf(direction > 0 && !open, shifter);
    if (stays) {
      requireServing();
      String which = end ? "in the " + (to == 1 ? "lowest" : "highest") + " gear" : "in gear " + to;
      return Optional.of(Answer.said("the cluster is " + which + " already"));
    }
    if (without.isEmpty()) {
      shifter.shift(to);
    } else {
      shifter.shiftWithout(to, without);
    }
    requireServing();
    return Optional.empty();
  }

  private static void reviveIf(boolean needed, GearShifter shifter) throws InterruptedException {
    if (needed) {
      shifter.revive();
    }
  }

  static void requireDirection(int from, int to, int direction) {
    if ((to - from) * direction < 0) {
      throw new BadRequestException(
          "the cluster is in gear " + from + ", and " + to + " is the other way",
          "--to",
          "use ./calando gear " + (to > from ? "up" : "down"));
    }
  }

  @Override
  public void close() {
    own.close();
  }
}
