package org.calando.studyfile;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.engine.StoreSpec;
import org.calando.knob.ManagedClocks;
import org.calando.knob.ManagedClocksSchema;
import org.calando.knob.MonitorSpec;
import org.calando.power.schema.PowerSpec;
import org.calando.studyfile.workload.WorkloadSpec;

/**
 * A study: a store, a workload, what is compared and how energy is measured.
 *
 * <p>Immutable and thread safe.
 *
 * @param name the study's name
 * @param store the store
 * @param workload the workload, or what those of the matrix have in common
 * @param staleness how stale reads are recognised
 * @param matrix the configurations, in parts that each know their workloads
 * @param events what happens to the cluster in each run, ascending in time
 * @param repeats runs of each configuration
 * @param seed seed of everything random
 * @param power how energy is measured
 * @param monitor how runs with policies observe the table
 * @param clocks how runs with a policy of clocks manage processors; present on a real cluster if
 *     the matrix has one
 * @param paper the paper whose published figures results are set beside, if any
 * @param promise what clients are promised, in all runs alike
 * @param maxErrors share of a run's operations that may fail, 0 .. 1
 * @param canonicalText the study as YAML with every default and every named file filled in; read
 *     again it gives an equal study
 */
public record StudySpec(
    String name,
    StoreSpec store,
    WorkloadSpec workload,
    Staleness staleness,
    List<MatrixSpec> matrix,
    List<EventSpec> events,
    int repeats,
    long seed,
    PowerSpec power,
    MonitorSpec monitor,
    Optional<ManagedClocks> clocks,
    Optional<String> paper,
    Promise promise,
    double maxErrors,
    String canonicalText) {

  private static final Pattern PROCESS_ID = Pattern.compile("(, )?\\bpid: \\d+");

  /** How stale reads are recognised. */
  public enum Staleness {
    /** By the versions that this process has seen acknowledged. */
    ORACLE,
    /** By that, and by a second read at ALL after each read, as Harmony's authors did. */
    DUAL_READ
  }

  /** The workloads that runs have, each once, in the order of the matrix. */
  public List<WorkloadSpec> workloads() {
    return matrix.stream().flatMap(part -> part.of(Axes.WORKLOAD).stream()).distinct().toList();
  }

  /** Time within which writes are promised to be visible to others; empty if nothing is. */
  public OptionalLong promisedNanos() {
    return promise.limits().containsKey(Promised.FRESH)
        ? OptionalLong.of(Math.round(promise.limit(Promised.FRESH).orElseThrow() * 1e9))
        : OptionalLong.empty();
  }

  /** Whether runs have a policy that sets the clocks of processors. */
  public boolean setsClocks() {
    return matrix.stream().anyMatch(part -> part.sets(ManagedClocksSchema.AXIS))
        || (clocks.isPresent() && !store.isSimulated());
  }

  /** Whether links of the cluster get another delay in runs. */
  public boolean changesLinks() {
    return events.stream().anyMatch(event -> event.action() instanceof EventSpec.Links);
  }

  /** Number of runs: configurations times repeats. */
  public int runs() {
    return (int) matrix.stream().mapToLong(MatrixSpec::configurations).sum() * repeats;
  }

  /**
   * SHA-256 over the canonical text in hexadecimal: equal for studies that mean the same. Process
   * ids are left out: a node that was started again is the same node.
   */
  public String fingerprint() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] hash =
          digest.digest(withoutProcessIds(canonicalText).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** What of a canonical text the fingerprint is of. */
  public static String withoutProcessIds(String canonicalText) {
    return PROCESS_ID.matcher(canonicalText).replaceAll("");
  }
}
