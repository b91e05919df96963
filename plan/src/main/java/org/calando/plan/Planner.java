package org.calando.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.calando.control.file.AtomicFiles;
import org.calando.control.file.FolderLock;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import org.calando.study.StudyRunner;
import org.calando.studyfile.workload.WorkloadSpec;

/**
 * Finds what keeps a promise with the fewest joules: simulates settings and policies as studies in
 * a folder, and compares them. Use once, by one thread.
 */
public final class Planner {
  /** Idle power over busy power, of servers as they are built and of those of long ago. */
  static final List<Double> IDLE_SHARES = List.of(0.2, 0.5, 0.9);

  private static final double SAME = 1e-6;

  /** What the simulator takes for an operation, in seconds of a core: about, on any machine. */
  private static final double OPERATION_SECONDS = 12e-6;

  /** Marks a folder as a plan's. */
  private static final String MARK = "plan.yaml";

  private static final String STUDIES = "studies";

  private final PlanFile file;
  private final Offered load;
  private final Candidates candidates;
  private final List<Batch> batches;
  private final Setting usual;

  /**
   * A planner of a file.
   *
   * @param most settings that are held, at most
   */
  public Planner(PlanFile file, int most) {
    this.file = file;
    this.load = Offered.of(file);
    this.candidates = new Candidates(file, load);
    List<Setting> settings = candidates.settings(most);
    this.usual = settings.get(0);
    double own = Offered.idleShare(file.study().power().profile());
    this.batches =
        Batch.of(
            file,
            settings,
            IDLE_SHARES.stream().filter(share -> Math.abs(share - own) > SAME).toList());
  }

  /**
   * Where and how it works.
   *
   * @param out folder of the plan
   * @param resume whether to go on with what is in it
   * @param command the command that repeats it
   * @param jobs simulated runs at once; empty for as many as there are cores
   */
  public record Request(Path out, boolean resume, String command, OptionalInt jobs) {}

  /** Runs that a plan takes. */
  public int runs() {
    return batches.stream().mapToInt(Batch::runs).sum();
  }

  /** Settings and policies that it compares. */
  public int settings() {
    return (int)
        batches.stream()
            .filter(one -> one.idleShare().isEmpty())
            .mapToLong(b -> b.settings().size())
            .sum();
  }

  /** How many settings it leaves out, by why. */
  public Map<String, Integer> skipped() {
    return candidates.skipped();
  }

  /** What its runs have in common, each with their number. */
  public List<String> parts() {
    return batches.stream()
        .map(one -> "%s: %s, %d runs".formatted(one.words(), one.count(), one.runs()))
        .toList();
  }

  /**
   * About how long it takes, in seconds.
   *
   * @param jobs runs at once
   */
  public double seconds(int jobs) {
    WorkloadSpec.WarmUp warmUp = file.study().workload().warmUp();
    double warm = warmUp.operations() + load.mean() * warmUp.nanos() / 1e9;
    double operations =
        file.part().durationNanos() > 0
            ? load.mean() * file.part().durationNanos() / 1e9
            : file.part().operations();
    return runs() * (warm + operations) * OPERATION_SECONDS / jobs;
  }

  /**
   * Simulates what is not simulated yet, and compares.
   *
   * @throws BadRequestException if the folder holds something else
   * @throws StopSignal.StoppedException if a stop was requested; finished runs are kept
   */
  public Plan run(Request request, Progress progress, StopSignal stop) throws InterruptedException {
    mark(request);
    List<Outcome> outcomes = new ArrayList<>();
    List<IdleShares.Simulated> again = new ArrayList<>();
    for (int i = 0; i < batches.size(); i++) {
      Batch batch = batches.get(i);
      stop.check();
      progress.line(
          "Part %d of %d, %s: %s".formatted(i + 1, batches.size(), batch.words(), batch.count()));
      Path folder = request.out().resolve(STUDIES).resolve(batch.name());
      new StudyRunner(
              new StudyRunner.Request(
                  batch.study(),
                  batch.study().canonicalText(),
                  file.directory(),
                  folder,
                  request.resume(),
                  false,
                  request.command(),
                  request.jobs()),
              progress,
              stop)
          .run();
      List<Outcome> found = batch.outcomes(file, folder);
      if (batch.idleShare().isPresent()) {
        again.add(new IdleShares.Simulated(batch.idleShare().getAsDouble(), found));
      } else {
        outcomes.addAll(found);
      }
    }
    if (outcomes.stream().noneMatch(Outcome::isWhole)) {
      throw new FailedWorkException(
          "no setting got through its runs",
          request.out().resolve(STUDIES).toString(),
          "look into the reports there, and plan for a lower load or a larger cluster");
    }
    return plan(outcomes, again);
  }

  private Plan plan(List<Outcome> outcomes, List<IdleShares.Simulated> again) {
    double own = Offered.idleShare(file.study().power().profile());
    List<Outcome> sighted =
        outcomes.stream().filter(one -> !one.setting().isBlindToPower()).toList();
    for (double share : IDLE_SHARES) {
      if (again.stream().noneMatch(one -> one.share() == share)) {
        again.add(
            new IdleShares.Simulated(share, Math.abs(share - own) <= SAME ? sighted : List.of()));
      }
    }
    Outcome all =
        outcomes.stream().filter(one -> one.setting().equals(usual)).findFirst().orElseThrow();
    return new Plan(
        file, load, outcomes, all, IdleShares.of(file, outcomes, again), candidates.skipped());
  }

  private static String text(Path mark) {
    try {
      return Files.readString(mark);
    } catch (IOException e) {
      throw new FailedWorkException("cannot be read", mark.toString(), "check its permissions", e);
    }
  }

  /** Other files are left alone, and another plan's. */
  private void mark(Request request) {
    Path out = request.out();
    Path mark = out.resolve(MARK);
    if (!Files.isRegularFile(mark)) {
      try (Stream<Path> entries = Files.isDirectory(out) ? Files.list(out) : Stream.of()) {
        boolean foreign = entries.anyMatch(entry -> !entry.endsWith(FolderLock.FILE));
        if (Files.exists(out) && (!Files.isDirectory(out) || foreign)) {
          throw new BadRequestException(
              "is not empty and holds no plan",
              out.toString(),
              "choose another folder with --out; nothing in it was touched");
        }
        Files.createDirectories(out);
      } catch (IOException e) {
        throw AtomicFiles.cannotWrite(out, e);
      }
    } else if (!text(mark).equals(file.study().canonicalText())) {
      throw new BadRequestException(
          "holds the plan of another file or of other --set values",
          mark.toString(),
          "choose another folder with --out; nothing in it was touched");
    }
    AtomicFiles.write(mark, file.study().canonicalText());
  }
}
