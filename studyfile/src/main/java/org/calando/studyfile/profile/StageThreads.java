package org.calando.studyfile.profile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.stage.NodeStages;

/**
 * Threads of a node's stages, as its configuration has them: no measurement tells them; and whether
 * it stands still now and then. Immutable.
 *
 * @param nativeThreads of native transport
 * @param loops messaging loops
 * @param mutationThreads of the mutation stage
 * @param readThreads of the read stage
 * @param responseThreads of the response stage
 * @param stalls whether it stands still, as often and as long as it was fitted
 */
public record StageThreads(
    int nativeThreads,
    int loops,
    int mutationThreads,
    int readThreads,
    int responseThreads,
    boolean stalls) {
  /** How they are called in files and options, in this order. */
  public static final List<String> KEYS =
      List.of("native", "loops", "mutation", "read", "response");

  /**
   * Checks the values.
   *
   * @throws BadRequestException if one cannot be
   */
  public StageThreads {
    var unused =
        new NodeStages(
            nativeThreads, loops, mutationThreads, readThreads, responseThreads, Distribution.NONE);
  }

  /** Of a node that never stands still. */
  public StageThreads(
      int nativeThreads, int loops, int mutationThreads, int readThreads, int responseThreads) {
    this(nativeThreads, loops, mutationThreads, readThreads, responseThreads, false);
  }

  /** The same of a node that stands still, or never does. */
  public StageThreads withStalls(boolean stands) {
    return new StageThreads(
        nativeThreads, loops, mutationThreads, readThreads, responseThreads, stands);
  }

  /**
   * Reads {@code native=128,loops=2,mutation=32,read=32,response=2}.
   *
   * @param where named in messages
   * @throws BadRequestException if one is missing, given twice or unknown
   */
  public static StageThreads parse(String text, String where) {
    Map<String, Integer> threads = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String key = equals < 0 ? part.strip() : part.substring(0, equals).strip();
      String value = part.substring(equals + 1).strip();
      if (equals < 0 || !KEYS.contains(key) || !value.matches("\\d{1,6}")) {
        throw wrong("'" + part + "' is no stage with its threads", where);
      }
      if (threads.put(key, Integer.valueOf(value)) != null) {
        throw wrong("threads of " + key + " are given twice", where);
      }
    }
    List<String> missing = new ArrayList<>(KEYS);
    missing.removeAll(threads.keySet());
    if (!missing.isEmpty()) {
      throw wrong("threads of " + String.join(", ", missing) + " are missing", where);
    }
    return of(KEYS.stream().map(key -> threads.getOrDefault(key, 0)).toList());
  }

  /** In the order of {@link #KEYS}. */
  static StageThreads of(List<Integer> threads) {
    return new StageThreads(
        threads.get(0), threads.get(1), threads.get(2), threads.get(3), threads.get(4));
  }

  /** In the order of {@link #KEYS}. */
  List<Integer> list() {
    return List.of(nativeThreads, loops, mutationThreads, readThreads, responseThreads);
  }

  private static BadRequestException wrong(String what, String where) {
    return new BadRequestException(
        what,
        where,
        "write what the nodes' configuration says, as"
            + " native=128,loops=2,mutation=32,read=32,response=2");
  }
}
