package org.calando.session.internal.governed;

import java.util.List;
import java.util.UUID;
import org.calando.core.observe.LatencyCounts;

/**
 * What a session reports to its governor. Immutable and thread safe.
 *
 * @param instance names the session, as no other
 * @param sequence above that of its report before
 * @param told the version of the answer that it had last; 0 without one
 * @param local whether its levels are LOCAL ones
 * @param place its data centre; empty unless they are
 * @param freshFirst whether the fallback is as safe as can be
 * @param tables each once
 * @param reads how long its reads took since it began
 */
public record SessionReport(
    UUID instance,
    long sequence,
    long told,
    boolean local,
    String place,
    boolean freshFirst,
    List<TableReport> tables,
    LatencyCounts reads) {
  /** Copies the list. */
  public SessionReport {
    tables = List.copyOf(tables);
  }
}
