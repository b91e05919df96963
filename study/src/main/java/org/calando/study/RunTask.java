package org.calando.study;

import org.calando.study.event.ClusterWatch;
import org.calando.studyfile.StudySpec;

/**
 * A run that is to be carried out.
 *
 * @param study which it is of
 * @param run what is to be done
 * @param files where its rows go
 * @param cluster ends its load when something happens to the cluster
 * @param stop ends it because the user wishes so
 * @param progress takes lines and the state for people
 * @param heading begins each of them
 */
record RunTask(
    StudySpec study,
    RunConfig run,
    RunFiles files,
    ClusterWatch cluster,
    StopSignal stop,
    Progress progress,
    String heading) {
  /** Reports what is done now. */
  void status(String what) {
    progress.status(heading + what);
  }
}
