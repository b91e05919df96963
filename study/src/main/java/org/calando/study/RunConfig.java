package org.calando.study;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.calando.core.layout.WarmShare;
import org.calando.studyfile.BufferChoice;
import org.calando.studyfile.GearChoice;
import org.calando.studyfile.LevelPair;
import org.calando.studyfile.RateSpec;
import org.calando.studyfile.StoreLayout;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.WorkloadSpec;

/**
 * One run: a configuration of the matrix in one repeat.
 *
 * @param id name of the run's folder, unique within the study
 * @param layout layout of the local cluster; empty for the cluster's own
 * @param oneOfLayouts whether the study has other layouts, so that words must tell this one
 * @param workload what clients do, on which records and after which warm-up
 * @param oneOfSeveral whether the study has other workloads, so that words must tell this one
 * @param levels read and write level
 * @param gear the gear, or the policy of gears; empty if all nodes are on
 * @param oneOfGears whether the study has others, so that words must tell this one
 * @param clock name of the policy that sets the clocks of processors; empty if none does
 * @param oneOfClocks whether the study has other policies, so that words must tell this one
 * @param writeBuffer how writes are sent, or the policy that chooses it; empty where there is no
 *     choice
 * @param oneOfWriteBuffers whether the study has other ways, so that words must tell this one
 * @param threads of a closed loop
 * @param rate of an open loop; exactly one of threads and rate is present
 * @param maxInFlight open loop: operations under way at most
 * @param clients open loop: logical clients
 * @param operations operations to measure, 0 for no limit
 * @param durationNanos length of the measured window, 0 for no limit
 * @param repeat number of the block, from 1
 * @param seed of operations and arrivals; the same for all configurations of a block, so that they
 *     are compared on the same sequence
 */
record RunConfig(
    String id,
    Optional<StoreLayout> layout,
    boolean oneOfLayouts,
    WorkloadSpec workload,
    boolean oneOfSeveral,
    LevelPair levels,
    Optional<GearChoice> gear,
    boolean oneOfGears,
    Optional<String> clock,
    boolean oneOfClocks,
    Optional<BufferChoice> writeBuffer,
    boolean oneOfWriteBuffers,
    OptionalInt threads,
    Optional<RateSpec> rate,
    int maxInFlight,
    int clients,
    long operations,
    long durationNanos,
    int repeat,
    long seed) {

  /** The load in words: {@code 4 threads} or {@code 400/s}. */
  String load() {
    return threads.isPresent()
        ? threads.getAsInt() + (threads.getAsInt() == 1 ? " thread" : " threads")
        : rate.map(RateSpec::label).orElse("");
  }

  /** The layout's name; empty for the cluster's own. */
  String layoutLabel() {
    return layout.map(StoreLayout::label).orElse("");
  }

  /** The token layout; empty for the cluster's own, or if it has no tokens. */
  Optional<WarmShare> tokens() {
    return layout.flatMap(StoreLayout::tokens);
  }

  /** The layout's name where words must tell it. */
  Optional<String> toldLayout() {
    return layout.filter(one -> oneOfLayouts).map(StoreLayout::label);
  }

  /** The policy of clocks where words must tell it. */
  Optional<String> toldClock() {
    return clock.filter(name -> oneOfClocks);
  }

  /** The gear where words must tell it. */
  Optional<String> toldGear() {
    return gear.filter(choice -> oneOfGears).map(choice -> "gear " + choice.label());
  }

  /** How writes are sent where words must tell it. */
  Optional<String> toldWriteBuffer() {
    return writeBuffer.filter(way -> oneOfWriteBuffers).map(BufferChoice::label);
  }

  /**
   * Time within which writes are promised to be visible: the study's promise to all, else the one
   * that the run's own policy keeps; empty if nothing is promised.
   */
  OptionalLong promised(StudySpec study) {
    return study.promisedNanos().isPresent()
        ? study.promisedNanos()
        : writeBuffer
            .flatMap(BufferChoice::promise)
            .map(promise -> OptionalLong.of(promise.freshNanos()))
            .orElse(OptionalLong.empty());
  }

  /** The configuration in words, for progress lines. */
  String words() {
    String words = String.format(Locale.ROOT, "%s, repeat %d", load(), repeat);
    words = levels.label().isEmpty() ? words : levels.label() + ", " + words;
    words = toldWriteBuffer().map(label -> label + ", ").orElse("") + words;
    words = toldClock().map(name -> name + ", ").orElse("") + words;
    words = toldGear().map(name -> name + ", ").orElse("") + words;
    words = oneOfSeveral ? workload.label() + ", " + words : words;
    return toldLayout().map(label -> label + ", ").orElse("") + words;
  }
}
