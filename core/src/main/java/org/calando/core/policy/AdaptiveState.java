package org.calando.core.policy;

/**
 * What a policy that follows an estimate remembers. Immutable and thread safe.
 *
 * <p>Times are of the loop's clock, and only their differences count: after a restart with another
 * clock the first decision starts counting anew.
 *
 * @param replicas replicas in the choice in force; 0 before the first decision
 * @param shareAbove share of reads that ask one more
 * @param atNanos when it was decided
 * @param calmDecisions decisions in a row that allowed fewer replicas, 0 or more
 * @param calmNanos since the first of them, 0 or more
 * @param calmReplicas replicas of the strongest choice that they asked for; 0 without any
 * @param calmShareAbove its share of reads that ask one more
 * @param lateReplicas replicas that are away or came back lately, 0 or more
 * @param lateNanos how long they still count as late after their return, 0 or more
 * @param correction what canary reads taught
 * @param shadow what shadow reads taught beside that
 * @param probe whether reads ask one replica because the store is strained
 */
public record AdaptiveState(
    int replicas,
    double shareAbove,
    long atNanos,
    int calmDecisions,
    long calmNanos,
    int calmReplicas,
    double calmShareAbove,
    int lateReplicas,
    long lateNanos,
    Correction correction,
    ShadowCorrection shadow,
    Probe probe) {
  /** Nothing decided yet. */
  static final AdaptiveState INITIAL =
      new AdaptiveState(
          0, 0, 0, 0, 0, 0, 0, 0, 0, Correction.NONE, ShadowCorrection.NONE, Probe.NONE);

  private static final String KIND = "adaptive/2";

  /** Without what shadow reads taught, and without probes. */
  private static final String EARLIER_KIND = "adaptive/1";

  public AdaptiveState {
    if (!isChoice(replicas, shareAbove)
        || !isChoice(calmReplicas, calmShareAbove)
        || calmDecisions < 0
        || calmNanos < 0
        || lateReplicas < 0
        || lateNanos < 0) {
      throw new IllegalArgumentException(
          "state of %d %s, calm %d %d %d %s, late %d %d"
              .formatted(
                  replicas,
                  shareAbove,
                  calmDecisions,
                  calmNanos,
                  calmReplicas,
                  calmShareAbove,
                  lateReplicas,
                  lateNanos));
    }
  }

  /** How canary reads correct the estimate: rates are multiplied by it. */
  public double correctionFactor() {
    return correction.factor();
  }

  /** A rate that an estimate told, corrected by canary reads and by shadow reads. */
  double corrected(double rate) {
    return shadow.corrected(correction.corrected(rate));
  }

  /**
   * The state when the next decision is taken, before anything is decided: what fades has faded,
   * and replicas that are away are counted.
   */
  AdaptiveState advancedTo(Observation o, AdaptiveConfig config) {
    boolean first = replicas == 0;
    long elapsed = first ? 0 : o.atNanos() - atNanos;
    // A clock that jumped, or a loop that slept: nobody watched meanwhile.
    boolean watched = elapsed >= 0 && elapsed <= config.maxAgeNanos();
    long nanos = Math.min(Math.max(elapsed, 0), config.maxAgeNanos());
    int away = o.awayReplicas();
    long lateLeft = away > 0 ? config.recoveryNanos() : Math.max(0, lateNanos - nanos);
    int late = away > 0 || lateLeft > 0 ? Math.min(o.replicas(), Math.max(away, lateReplicas)) : 0;
    boolean calm = watched && calmDecisions > 0;
    return new AdaptiveState(
        replicas,
        shareAbove,
        o.atNanos(),
        calm ? calmDecisions : 0,
        calm ? calmNanos + nanos : 0,
        calm ? calmReplicas : 0,
        calm ? calmShareAbove : 0,
        late,
        lateLeft,
        correction.faded(nanos, config),
        shadow.faded(nanos, config),
        (watched ? probe : probe.unwatched()).after(nanos));
  }

  /** With canary reads and shadow reads taken in. */
  AdaptiveState with(Correction newCorrection, ShadowCorrection newShadow) {
    return new AdaptiveState(
        replicas,
        shareAbove,
        atNanos,
        calmDecisions,
        calmNanos,
        calmReplicas,
        calmShareAbove,
        lateReplicas,
        lateNanos,
        newCorrection,
        newShadow,
        probe);
  }

  /** With another probe. */
  AdaptiveState with(Probe newProbe) {
    return new AdaptiveState(
        replicas,
        shareAbove,
        atNanos,
        calmDecisions,
        calmNanos,
        calmReplicas,
        calmShareAbove,
        lateReplicas,
        lateNanos,
        correction,
        shadow,
        newProbe);
  }

  /** Whether reads ask one replica. */
  boolean isWeakest() {
    return replicas == 1 && shareAbove == 0;
  }

  /** With a choice in force, and nothing that asks for fewer replicas. */
  AdaptiveState choosing(ReadChoice choice) {
    return new AdaptiveState(
        choice.replicas(),
        choice.shareAbove(),
        atNanos,
        0,
        0,
        0,
        0,
        lateReplicas,
        lateNanos,
        correction,
        shadow,
        probe);
  }

  /** With a choice in force, while one more decision asks for fewer replicas. */
  AdaptiveState calm(ReadChoice choice, ReadChoice asked) {
    return new AdaptiveState(
        choice.replicas(),
        choice.shareAbove(),
        atNanos,
        calmDecisions + 1,
        calmNanos,
        asked.replicas(),
        asked.shareAbove(),
        lateReplicas,
        lateNanos,
        correction,
        shadow,
        probe);
  }

  String write() {
    return KIND
        + (" replicas=" + replicas + " above=" + shareAbove + " at=" + atNanos)
        + (" calm=" + calmDecisions + " calm-nanos=" + calmNanos)
        + (" calm-replicas=" + calmReplicas + " calm-above=" + calmShareAbove)
        + (" late=" + lateReplicas + " late-nanos=" + lateNanos)
        + (" factor=" + correction.factor() + " excess=" + correction.excess())
        + (" stale=" + correction.stale() + " predicted=" + correction.predicted())
        + (" seen=" + correction.seenNanos())
        + (" shadow=" + shadow.factor() + " shadow-excess=" + shadow.excess())
        + (" probe=" + probe.leftNanos() + " rest=" + probe.restNanos())
        + (" next-rest=" + probe.nextRestNanos());
  }

  static AdaptiveState read(String line) {
    boolean earlier = line.startsWith(EARLIER_KIND + ' ');
    StateText text = new StateText(earlier ? EARLIER_KIND : KIND, line);
    AdaptiveState state =
        new AdaptiveState(
            text.takeInt("replicas"),
            text.takeDouble("above"),
            text.takeLong("at"),
            text.takeInt("calm"),
            text.takeLong("calm-nanos"),
            text.takeInt("calm-replicas"),
            text.takeDouble("calm-above"),
            text.takeInt("late"),
            text.takeLong("late-nanos"),
            new Correction(
                text.takeDouble("factor"),
                text.takeDouble("excess"),
                text.takeDouble("stale"),
                text.takeDouble("predicted"),
                text.takeLong("seen")),
            earlier
                ? ShadowCorrection.NONE
                : new ShadowCorrection(text.takeDouble("shadow"), text.takeDouble("shadow-excess")),
            earlier
                ? Probe.NONE
                : new Probe(
                    text.takeLong("probe"), text.takeLong("rest"), text.takeLong("next-rest")));
    text.requireEmpty();
    return state;
  }

  private static boolean isChoice(int replicas, double shareAbove) {
    return replicas == 0 ? shareAbove == 0 : replicas > 0 && shareAbove >= 0 && shareAbove < 1;
  }
}
