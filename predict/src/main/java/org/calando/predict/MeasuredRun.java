package org.calando.predict;

import org.calando.core.energy.NodeProfile;

/**
 * A run that was measured. Immutable.
 *
 * @param id its name in its study
 * @param study the study's folder
 * @param workload what results call the workload
 * @param repeat number of its block, from 1
 * @param scenario what ran
 * @param figures what was seen
 * @param watts mean power of a node; NaN where it was not measured but modelled
 * @param profile the study's power profile
 */
record MeasuredRun(
    String id,
    String study,
    String workload,
    int repeat,
    Scenario scenario,
    Figures figures,
    double watts,
    NodeProfile profile) {

  /** The configuration in words. */
  String configuration() {
    return workload + " " + scenario.levels() + " " + scenario.load();
  }
}
