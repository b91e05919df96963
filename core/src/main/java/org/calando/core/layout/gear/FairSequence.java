package org.calando.core.layout.gear;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/*
 * Turns taken by weight, as a processor's time is by fair schedulers (Baruah et al. 1996, "Proportionate
 * progress"). In its x-th turn, from 0, an index of weight w may not be before round x/w, and has to
 * be before round (x+1)/w ends: then it is always less than one turn away from its share. Of those
 * that may, the ones that have to soonest take the round; of equals the heavier, then the first. With
 * one turn a round, and with two, that keeps to all of it; with more it does but for rare cases, in
 * which a turn is late by a round.
 */
/**
 * Takes turns so that after any number of rounds each index had its share of them to within one
 * turn. Not thread safe.
 */
final class FairSequence {
  private static final double ROUNDING = 1e-7;

  private final double[] weights;
  private final int turns;
  private final long[] taken;
  private long round;

  /**
   * Begins with nothing taken.
   *
   * @param weights turns of each index in a round, 0 to 1; they add up to {@code turns}
   * @param turns in each round
   */
  FairSequence(double[] weights, int turns) {
    this.weights = weights.clone();
    this.turns = turns;
    this.taken = new long[weights.length];
  }

  /** The indices of the next round, from 0, each of them once; rising in their deadlines. */
  List<Integer> next() {
    List<Integer> due = new ArrayList<>();
    List<Integer> early = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] > 0) {
        (isDue(i) ? due : early).add(i);
      }
    }
    due.sort(Comparator.comparingLong(this::deadline).thenComparingDouble(i -> -weights[i]));
    // Rounding alone can leave too few.
    early.sort(Comparator.comparingDouble(i -> taken[i] - weights[i] * (round + 1)));
    due.addAll(early);
    List<Integer> chosen = List.copyOf(due.subList(0, Math.min(turns, due.size())));
    chosen.forEach(i -> taken[i]++);
    round++;
    return chosen;
  }

  private boolean isDue(int i) {
    return taken[i] / weights[i] < round + 1 - ROUNDING;
  }

  private long deadline(int i) {
    return (long) Math.ceil((taken[i] + 1) / weights[i] - ROUNDING);
  }
}
