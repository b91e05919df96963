package org.calando.governor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.calando.clock.LeaseFolders;
import org.calando.control.DecisionJournal;
import org.calando.control.order.KnobOrders;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.engine.GearSettings;
import org.calando.engine.NodeGears;
import org.calando.engine.Replicas;
import org.calando.engine.StoreSpec;
import org.calando.knob.GearChoice;
import org.calando.knob.GearSchema;
import org.calando.knob.Point;
import org.calando.studyfile.ServiceSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gear that is held at 2, of a cluster that is in gear 1. */
@Timeout(60)
class GovernedGearTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final NodeProfile PROFILE = Profiles.byName(Profiles.DEFAULT).orElseThrow();

  @TempDir Path folder;

  private final List<String> news = new CopyOnWriteArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final KnobStates knobs = new KnobStates(InstantSource.system());
  private volatile boolean fails;

  private GovernedGear begin(boolean attended) {
    ServiceSpec spec =
        ServiceSpec.attended(
            new StoreSpec(
                "paper",
                Optional.empty(),
                Optional.empty(),
                List.of(),
                new Replicas(1, Map.of(), Optional.empty()),
                "calando",
                Optional.empty(),
                Optional.empty(),
                1),
            Point.NONE.with(GearSchema.AXIS, GearChoice.fixed(2)),
            new ServiceSpec.Machines(
                Optional.empty(),
                Optional.of(
                    new GearSettings(new GearSettings.Capacity(1, false), 1, Optional.empty()))),
            Duration.ofSeconds(1).toNanos(),
            PROFILE);
    GovernedCluster.Means means =
        new GovernedCluster.Means(
            folder,
            LeaseFolders.in(folder.resolve("state")),
            "a test",
            new DecisionFolders(name -> folder, target -> folder.resolve(target)),
            news::add,
            attended,
            InstantSource.system(),
            GovernorNotes.none(InstantSource.system()));
    return GovernedGear.begin(
        new Paper(), spec.clusters().get(0), means, knobs, KnobOrders.NONE, news::add);
  }

  private Path decisions() {
    return folder.resolve("paper nodes");
  }

  @Test
  void decisionsAreItsOwnUntilAShiftThatDoesNotHeedTheInterruptHasEnded() throws Exception {
    GovernedGear governed = begin(false);
    begun.await();
    CompletableFuture<Void> closing = CompletableFuture.runAsync(governed::close);
    interrupted.await();
    assertThatThrownBy(() -> DecisionJournal.open(decisions(), "another", Instant::now))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("a test");
    assertThat(closing).isNotDone();
    mayEnd.countDown();
    closing.get();
    DecisionJournal.open(decisions(), "another", Instant::now).close();
  }

  @Test
  void aShiftThatFailsPausesItOrEndsWhatSomebodySeesTo() {
    fails = true;
    mayEnd.countDown();
    try (GovernedGear pausing = begin(false)) {
      await().atMost(LONG).until(() -> pausing.problem().isPresent());
      assertThat(pausing.problem().orElseThrow()).contains("gear is paused until", "no power");
      assertThat(pausing.failure()).isEmpty();
    }
    try (GovernedGear ending = begin(true)) {
      await().atMost(LONG).until(() -> ending.failure().isPresent());
      assertThat(ending.failure().orElseThrow())
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("has no power");
    }
  }

  @Test
  void whoSeesToItIsToldHowItStandsWithLoadAndWhatIsInForce() {
    mayEnd.countDown();
    try (GovernedGear governed = begin(true)) {
      await().atMost(LONG).until(() -> news.stream().anyMatch(line -> line.contains("shifted")));
      assertThat(governed.failure()).isEmpty();
      assertThat(news)
          .anyMatch(
              line ->
                  line.startsWith("paper: gear 1; shifted to gear 2 (")
                      && line.endsWith("), 7.0 sheets/s, 1 nodes do not serve, two sheets"));
    }
  }

  /** An order begins the next shift without a decision. */
  @Test
  void whatAShiftHasReportedIsNotOfTheNext() throws Exception {
    try (GovernedGear governed = begin(true)) {
      begun.await();
      knobs.shiftLine("sheet 2 is laid out");
      assertThat(knobs.shiftLines()).contains("sheet 2 is laid out");
      mayEnd.countDown();
      await().atMost(LONG).until(() -> news.stream().anyMatch(line -> line.contains("shifted")));
      assertThat(governed.failure()).isEmpty();
      assertThat(knobs.shiftLines()).isEmpty();
    }
  }

  /** Shifts until it may end, whoever interrupts it. */
  private final class Paper extends NodeGears {
    private volatile int gear = 1;

    Paper() {
      super(
          User.governor(
              PROFILE,
              new GearSettings(new GearSettings.Capacity(1, false), 1, Optional.empty()),
              "a test"));
    }

    @Override
    public String target() {
      return "paper nodes";
    }

    @Override
    public GearModel model() {
      return model(1).in("sheets/s");
    }

    @Override
    public String words() {
      return gear == 2 ? "two sheets" : "one sheet";
    }

    @Override
    public int failed() {
      return 1;
    }

    @Override
    protected Sight look() {
      return new Sight(failed(), Optional.of(new GearObservation.Load(nanos(), 7, 0)));
    }

    @Override
    public String status() {
      return "./calando paper status";
    }

    /** A plan that was begun. */
    @Override
    public Optional<String> unfinished() {
      return fails && begun.getCount() == 0 ? Optional.of(" to gear 2") : Optional.empty();
    }

    @Override
    protected void move(int to) {
      begun.countDown();
      boolean may = false;
      while (!may) {
        try {
          mayEnd.await();
          may = true;
        } catch (InterruptedException e) {
          interrupted.countDown();
        }
      }
      if (fails) {
        throw new FailedWorkException("has no power", "node", "fix it");
      }
      gear = to;
    }

    @Override
    public void settle() {
      move(2);
    }

    @Override
    protected void begin() {}

    @Override
    public int gear() {
      return gear;
    }

    @Override
    public int highest() {
      return 2;
    }

    @Override
    public int nodesOn(int each) {
      return each;
    }
  }
}
