package org.calando.concerto.trials;

import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.calando.concerto.trials.ServiceFault.Phase;
import org.jspecify.annotations.Nullable;

/** A fault as a seed has drawn it, done to a bed and mended. For one trial, and one thread. */
final class PlannedFault {
  private static final int LONGEST_MILLIS = 9_000;
  private static final int LEASE_MILLIS = 10_000;

  private final ServiceFault fault;
  private final Phase phase;
  private final int delayMillis;
  private final int holdMillis;
  private final int choice;
  private final boolean variant;
  private @Nullable JavaProcess second;
  private boolean hit;
  private String came = "";

  /** Draws the rest of a fault. */
  PlannedFault(ServiceFault fault, SplittableRandom random) {
    this.fault = fault;
    List<Phase> phases = fault.phases();
    this.phase = phases.get(random.nextInt(phases.size()));
    this.delayMillis = random.nextInt(latestMillis(phase));
    int longer = fault == ServiceFault.LINK_CUT && random.nextBoolean() ? LEASE_MILLIS : 0;
    this.holdMillis = 500 + longer + random.nextInt(longer > 0 ? 4_000 : LONGEST_MILLIS);
    this.choice = random.nextInt(ServiceBed.NODES);
    this.variant = random.nextBoolean();
  }

  /** A governor takes some seconds to begin, and half of one to end. */
  private static int latestMillis(Phase phase) {
    return switch (phase) {
      case BEGIN -> 6_000;
      case GOVERNED -> 2_500;
      case END -> 600;
    };
  }

  Phase phase() {
    return phase;
  }

  /** When it is to be done, in nanoseconds from the phase's begin. */
  long beginNanos() {
    return TimeUnit.MILLISECONDS.toNanos(delayMillis);
  }

  /** When it is to be mended, likewise. */
  long mendNanos() {
    return TimeUnit.MILLISECONDS.toNanos(delayMillis + holdMillis);
  }

  /** Which disk it fills: a machine's, or the governor's; -1 for none. */
  int disk() {
    return fault == ServiceFault.DISK_FULL ? choice : -1;
  }

  ServiceTrialResult.Done done() {
    return new ServiceTrialResult.Done(fault, phase, words(), hit);
  }

  private String words() {
    String what =
        switch (fault) {
          case GOVERNOR_KILLED -> "";
          case AGENT_KILLED -> "of machine " + choice % ServiceBed.MACHINES;
          case NODE_KILLED -> variant ? "the master" : "n" + (choice + 1);
          case LINK_CUT ->
              (choice == ServiceBed.MACHINES ? "all" : "to machine " + choice)
                  + (variant ? ", frozen" : ", cut");
          case DISK_FULL -> choice == ServiceBed.MACHINES ? "the governor's" : "agent " + choice;
          case WRONG_FILE -> "way " + (choice + (variant ? 2 : 0));
          case SECOND_GOVERNOR -> variant ? "of the same state folder" : "of another state folder";
        };
    return String.format(
        Locale.ROOT,
        "%s %s after %d ms for %d ms%s",
        fault.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        what,
        delayMillis,
        holdMillis,
        came);
  }

  /** Does it. */
  void begin(ServiceBed bed) {
    hit =
        switch (fault) {
          case GOVERNOR_KILLED -> bed.governor().signal("KILL");
          case AGENT_KILLED -> bed.agent(choice % ServiceBed.MACHINES).signal("KILL");
          case NODE_KILLED -> killNode(bed);
          case LINK_CUT -> cut(bed);
          case DISK_FULL -> {
            bed.disk(choice).ifPresent(SmallDisk::fill);
            yield bed.disk(choice).isPresent();
          }
          case WRONG_FILE -> {
            bed.file().damage(choice + (variant ? 2 : 0));
            yield bed.governor().signal("HUP");
          }
          case SECOND_GOVERNOR -> {
            second = bed.startSecond(variant);
            yield true;
          }
        };
  }

  private boolean killNode(ServiceBed bed) {
    int master = bed.master();
    int node = variant && master > 0 ? master : choice + 1;
    if (!bed.cluster().isRunning(node)) {
      return false;
    }
    bed.cluster().kill(node);
    return true;
  }

  private boolean cut(ServiceBed bed) {
    boolean hits = false;
    for (int machine = 0; machine < ServiceBed.MACHINES; machine++) {
      if (choice == ServiceBed.MACHINES || choice == machine) {
        hits |= bed.link(machine).isOpen();
        if (variant) {
          bed.link(machine).freeze();
        } else {
          bed.link(machine).cut();
        }
      }
    }
    return hits;
  }

  /**
   * Mends it, as whoever operates the cluster would.
   *
   * @param governs whether there is to be a governor
   * @param alone whether it is the phase's only fault, so that what must come of it is known
   * @return what is not as it must be; empty if all is
   */
  String mend(ServiceBed bed, boolean governs, boolean alone) {
    switch (fault) {
      case GOVERNOR_KILLED -> {
        if (governs && !bed.governor().isAlive()) {
          bed.startGovernor();
        }
      }
      case AGENT_KILLED -> bed.restartAgent(choice % ServiceBed.MACHINES);
      case NODE_KILLED -> {
        for (int node = 1; node <= ServiceBed.NODES; node++) {
          if (!bed.cluster().isRunning(node)) {
            bed.cluster().launch(node);
          }
        }
      }
      case LINK_CUT -> {
        for (int machine = 0; machine < ServiceBed.MACHINES; machine++) {
          bed.link(machine).mend(holdMillis % 2 == 0);
        }
      }
      case DISK_FULL -> bed.disk(choice).ifPresent(SmallDisk::empty);
      case WRONG_FILE -> {
        return mendFile(bed, alone);
      }
      case SECOND_GOVERNOR -> {
        return endSecond(alone && phase == Phase.GOVERNED);
      }
    }
    return "";
  }

  private String mendFile(ServiceBed bed, boolean alone) {
    String said = bed.governor().said();
    boolean kept = bed.governor().isAlive() && bed.isGoverned();
    bed.file().write();
    boolean unused = bed.governor().signal("HUP");
    if (!hit || !alone) {
      return "";
    }
    return said.contains("the file before stays in force") && kept
        ? ""
        : "the wrong file did not leave the one before in force; the governor said: "
            + bed.governor().lastWords();
  }

  private String endSecond(boolean mustBeRefused) {
    JavaProcess process = second;
    if (process == null) {
      return "";
    }
    second = null;
    if (mustBeRefused) {
      int unused = process.exitCode(); // It may not have come to what refuses it.
    }
    boolean ended = !process.isAlive();
    boolean unused = process.signal("TERM");
    int code = process.exitCode();
    process.kill();
    came = process.said().contains("governs shop") ? ", took over" : ", exit code " + code;
    if (mustBeRefused && (code != 2 || !ended)) {
      return "a second governor was not refused: " + code + ", " + process.lastWords();
    }
    return code < 0 ? "the second governor does not end: " + process.lastWords() : "";
  }

  /** Whether the governor may end by itself where this is done while it begins. */
  boolean mayRefuseBegin() {
    return fault == ServiceFault.WRONG_FILE
        || fault == ServiceFault.SECOND_GOVERNOR
        || fault == ServiceFault.AGENT_KILLED
        || fault == ServiceFault.DISK_FULL
        || fault == ServiceFault.LINK_CUT;
  }
}
