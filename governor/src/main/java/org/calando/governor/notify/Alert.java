package org.calando.governor.notify;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that is amiss with a cluster, or was. Immutable and thread safe.
 *
 * @param name as rules for Prometheus call it, such as {@code CalandoPromiseBroken}
 * @param cluster its name in the governor's file
 * @param subject the promise or the knob; empty if it is the cluster
 * @param severity critical, warning
 * @param summary a sentence
 * @param since when it was seen first
 * @param ended when it was over; empty if it is not
 */
public record Alert(
    String name,
    String cluster,
    Optional<Subject> subject,
    String severity,
    String summary,
    Instant since,
    Optional<Instant> ended) {
  /**
   * What of a cluster it is. Immutable.
   *
   * @param label promise or knob
   * @param name which one
   */
  public record Subject(String label, String name) {}

  /** The same, which is over. */
  Alert over(Instant now) {
    return new Alert(name, cluster, subject, severity, summary, since, Optional.of(now));
  }
}
