package org.calando.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.engine.hdfs.OwnGears;
import org.calando.gears.CatchUpPace;
import org.calando.gears.CatchUpTotals;
import org.calando.gears.GearDoctor;
import org.calando.gears.GearMeans;
import org.calando.gears.GearShifter;
import org.calando.gears.Remedies;
import org.calando.kept.KeptCluster;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.studyfile.StudyFile;

/** A geared cluster that a command works on. Not thread safe. */
final class GearAccess implements ShiftPart.Access {
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
  static boolean isLocalInventory(Path file) {
    try {
      return Files.isSameFile(
          file, StateFolder.local(LocalHdfs.ENGINE).resolve(KeptCluster.INVENTORY));
    } catch (IOException e) {
      // One of both is not there.
      return false;
    }
  }

  GearMeans means() {
    return own.means();
  }

  /** Names of nodes' power profiles, by transfer address, where the inventory tells them. */
  Map<String, String> profiles() {
    return own.profiles();
  }

  /** Whether it is that of {@code local start}. */
  boolean isLocal() {
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
  String node(String node) {
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
  void requireServing() {
    List<GearDoctor.Finding> missing = GearDoctor.missing(means());
    if (!missing.isEmpty()) {
      GearDoctor.Finding first = missing.get(0);
      String more = missing.size() == 1 ? "" : " (and of " + (missing.size() - 1) + " more)";
      throw new FailedWorkException(first.says() + more, first.what(), first.remedy());
    }
  }

  /** Of the last catch-up. */
  Optional<CatchUpTotals> totals() {
    return news.totals();
  }

  @Override
  public void close() {
    own.close();
  }
}
