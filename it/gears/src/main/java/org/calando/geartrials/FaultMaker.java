package org.calando.geartrials;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.calando.concerto.trials.SmallDisk;
import org.calando.core.CalandoException;
import org.calando.core.layout.gear.GearFile;
import org.calando.gears.GearFiles;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.power.Ticker;
import org.calando.power.onoff.Lookout;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchTimes;
import org.calando.power.onoff.VerifiedSwitch;

/** Makes one kind of fault on a cluster, and mends it as an operator would. Not thread safe. */
final class FaultMaker {
  private static final int LONGEST_DELAY_MILLIS = 3_000;
  private static final Duration KNOCK = Duration.ofSeconds(1);
  private static final Duration BELIEVE = Duration.ofSeconds(4);

  private final GearBed bed;
  private final Fault fault;
  private final SplittableRandom random;
  private final Optional<SmallDisk> disk;
  private final int node;
  private boolean prepared;

  /** A fault that comes at its own time. */
  final class Pending implements AutoCloseable {
    private final CountDownLatch through = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean hit;

    private Pending(Runnable work) {
      thread =
          new Thread(
              () -> {
                try {
                  if (!through.await(delayMillis(), TimeUnit.MILLISECONDS)) {
                    work.run();
                    hit = true;
                  }
                } catch (InterruptedException e) {
                  // the trial ends
                }
              },
              "calando-trial-fault");
      thread.start();
    }

    boolean hit() {
      return hit;
    }

    @Override
    public void close() {
      boolean again = false;
      through.countDown();
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          again = true;
        }
      }
      if (again) {
        Thread.currentThread().interrupt();
      }
    }
  }

  FaultMaker(GearBed bed, Fault fault, SplittableRandom random, Optional<SmallDisk> disk) {
    this.bed = bed;
    this.fault = fault;
    this.random = random;
    this.disk = disk;
    this.node = 1 + random.nextInt(bed.file().nodes().size());
  }

  int delayMillis() {
    return random.nextInt(LONGEST_DELAY_MILLIS);
  }

  /**
   * What is wrong before the shift begins.
   *
   * @return whether there is anything wrong now
   */
  boolean prepare() {
    prepared = true;
    switch (fault) {
      case LYING_SWITCH -> {
        LocalHdfsNode last = last();
        bed.switches().put(last.transferAddress(), lying(last));
        return true;
      }
      case LOG_DAMAGED -> {
        return bed.file().log().isPresent()
            && GearTrial.damageEnd(Path.of(bed.file().log().get()), random);
      }
      case DISK_FULL -> {
        disk.ifPresent(SmallDisk::fill);
        return disk.isPresent();
      }
      default -> {
        return false;
      }
    }
  }

  private LocalHdfsNode last() {
    return bed.cluster().nodes().get(bed.cluster().nodes().size() - 1);
  }

  /** A fault that comes while the shift is under way, if it is of that kind. */
  Pending begin(boolean faulty) {
    Runnable nothing = () -> {};
    return new Pending(
        !faulty
            ? nothing
            : switch (fault) {
              case NAMENODE_KILLED -> () -> bed.cluster().kill(LocalHdfs.NAME_NODE);
              case DATANODE_KILLED -> () -> bed.cluster().kill(node);
              default -> nothing;
            });
  }

  /** Whether the fault comes by itself while the shift is under way. */
  boolean comesLater() {
    return fault == Fault.NAMENODE_KILLED || fault == Fault.DATANODE_KILLED;
  }

  /** Mends it. */
  void mend() {
    LocalHdfs cluster = bed.cluster();
    boolean restarted = false;
    if (prepared && fault == Fault.LYING_SWITCH) {
      bed.restoreSwitches();
    }
    disk.ifPresent(SmallDisk::empty);
    if (!cluster.isNameNodeRunning()) {
      cluster.launch(LocalHdfs.NAME_NODE);
    }
    GearFile file = GearFiles.read(bed.gearFile());
    for (LocalHdfsNode each : cluster.nodes()) {
      // Others are the plan's own affair, as long as it is unfinished.
      boolean toBeOn = file.layout().groups().isOn(each.index(), file.gear());
      if (toBeOn && !cluster.isRunning(each.index())) {
        cluster.launch(each.index());
        restarted = true;
      }
    }
    bed.awaitNameNode();
    bed.awaitNodes();
    if (restarted) {
      bed.awaitReports();
    }
  }

  private PowerSwitch lying(LocalHdfsNode of) {
    return new VerifiedSwitch(
        new LyingSwitch(of.name()),
        Optional.of(Lookout.port(of.address(), of.transferPort(), KNOCK)),
        SwitchTimes.USUAL.within(BELIEVE, BELIEVE),
        Ticker.system());
  }

  /** Says what it was told, and does nothing. */
  private static final class LyingSwitch implements PowerSwitch {
    private final String name;
    private State state = State.ON;

    LyingSwitch(String name) {
      this.name = name;
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

  /** For whoever only wants to know. */
  static String message(CalandoException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
