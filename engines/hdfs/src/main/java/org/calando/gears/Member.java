package org.calando.gears;

import java.util.Locale;

/**
 * A node of a geared cluster as the store's name server sees it now. Immutable.
 *
 * @param number its place in the gear file, from 1
 * @param name as the gear file names it
 * @param live whether it is heard of; a node that the name server has never heard of is not
 * @param service what it is there for
 * @param reportMillis when its last full report of blocks was taken in, by the name server's own
 *     clock, in ms; 0 if none was
 */
public record Member(int number, String name, boolean live, Service service, long reportMillis) {
  /** What a node is there for. */
  public enum Service {
    /** Gets and serves blocks. */
    IN_SERVICE,
    /** Is about to be in maintenance: its blocks are looked through. */
    ENTERING_MAINTENANCE,
    /** May be off: its replicas count, and are not copied elsewhere. */
    IN_MAINTENANCE,
    /** Anything else: being decommissioned, or not known. */
    OTHER
  }

  /** How it is, for people: what it is there for, and that it is not heard of. */
  public String state() {
    String words = service.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    if (live) {
      return words;
    }
    return service == Service.IN_MAINTENANCE ? "silent, " + words : "dead (admin: " + words + ")";
  }

  /** Whether it can be relied on to serve what it holds. */
  public boolean serves() {
    return live && service == Service.IN_SERVICE;
  }
}
