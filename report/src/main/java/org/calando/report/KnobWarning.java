package org.calando.report;

import java.util.List;

/**
 * What makes figures of runs with a knob doubtful. Found as services, whose constructors have no
 * parameters. Implementations are stateless and thread safe.
 */
public interface KnobWarning {
  /**
   * The warnings of a study, each a sentence or two that names a remedy; none if there is no doubt.
   *
   * @param text the study's file, without values if it is not known
   */
  List<String> of(Results results, StudyText text);
}
