package org.calando.core.workload.internal.ycsb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Knows why Calando ignores a property of YCSB, and when that makes no difference. */
public final class IgnoredProperties {
  private static final String STORE = "the study's file chooses the store and how to reach it";
  private static final String MEASURED = "Calando measures and reports in its own way";

  /**
   * A property, or all whose names start with it if it ends with a dot.
   *
   * @param name the name or its beginning
   * @param harmless the value with which ignoring the property changes nothing, if there is one
   * @param reason why it is ignored
   */
  private record Ignored(String name, @Nullable String harmless, String reason) {
    boolean covers(String property) {
      return name.endsWith(".") ? property.startsWith(name) : property.equals(name);
    }
  }

  private static final List<Ignored> IGNORED =
      List.of(
          new Ignored(
              "readallfieldsbyname", "false", "the store's adapter decides how it asks for fields"),
          new Ignored("dataintegrity", "false", "the content of records is not checked"),
          new Ignored(
              "insertorder", "hashed", "the store's adapter makes the keys out of their numbers"),
          new Ignored(
              "zeropadding", "1", "the store's adapter makes the keys out of their numbers"),
          new Ignored("core_workload_insertion_retry_limit", "0", "inserts are not retried"),
          new Ignored("core_workload_insertion_retry_interval", "3", "inserts are not retried"),
          new Ignored(
              "core_workload_insertion_keep_going_on_error",
              "false",
              "records must load without errors; failed inserts of the run are counted as errors"),
          new Ignored("dotransactions", "true", "a run always loads its records, then operates"),
          new Ignored("db", null, STORE),
          new Ignored("columnfamily", null, STORE),
          new Ignored("hosts", null, STORE),
          new Ignored("port", null, STORE),
          new Ignored("cassandra.", null, STORE + ", and its matrix the consistency levels"),
          new Ignored("redis.", null, STORE),
          new Ignored("hbase.", null, STORE),
          new Ignored("maxscanrate", "0", "only YCSB's Bigtable client knows it"),
          new Ignored("scanoptimelimit", "0", "only YCSB's Bigtable client knows it"),
          new Ignored("discardscannedrecord", "false", "only YCSB's Bigtable client knows it"),
          new Ignored("exporter", null, MEASURED),
          new Ignored("exportfile", null, MEASURED),
          new Ignored("measurementtype", null, MEASURED),
          new Ignored("measurement.", null, MEASURED),
          new Ignored("histogram.", null, MEASURED),
          new Ignored("hdrhistogram.", null, MEASURED),
          new Ignored("timeseries.", null, MEASURED),
          new Ignored("reportlatencyforeacherror", null, MEASURED),
          new Ignored("latencytrackederrors", null, MEASURED),
          new Ignored("status", null, MEASURED),
          new Ignored("status.", null, MEASURED),
          new Ignored("label", null, MEASURED),
          new Ignored("htrace.", null, "there is no tracing"),
          new Ignored("spin.sleep", null, "the load generator keeps time in its own way"));

  private IgnoredProperties() {}

  /**
   * Why each of these properties has no effect.
   *
   * @param properties those that are not honoured
   */
  public static List<String> warnings(Map<String, String> properties) {
    List<String> warnings = new ArrayList<>();
    properties.forEach(
        (name, value) -> {
          Ignored ignored = find(name);
          if (ignored == null) {
            warnings.add(name + " is ignored: it is not a property of YCSB's core workload");
          } else if (!value.strip().equals(ignored.harmless)) {
            warnings.add(name + " is ignored: " + ignored.reason);
          }
        });
    return warnings;
  }

  private static @Nullable Ignored find(String name) {
    for (Ignored ignored : IGNORED) {
      if (ignored.covers(name)) {
        return ignored;
      }
    }
    return null;
  }
}
