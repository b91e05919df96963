package org.calando.promise;

/**
 * What an adaptive session said of itself.
 *
 * @param process of the session
 * @param at when
 * @param replicas that reads ask in the mean
 * @param level in use
 * @param safe whether no read is stale at it
 * @param reasons without commas
 */
record LevelEntry(
    String process, long at, double replicas, String level, boolean safe, String reasons) {
  String line() {
    return String.join(
        ",",
        process,
        Long.toString(at),
        Double.toString(replicas),
        level,
        Boolean.toString(safe),
        reasons.replace(',', ';').replace('\n', ' '));
  }
}
