package org.calando.study;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Simulated studies in Java processes of their own: each process draws the order of its immutable
 * maps anew, and no file may depend on it.
 */
class SimulatedJvmsTest {
  private static final int PROCESSES = 3;

  private static final String REST =
      """
      study: test
      workload:
        mix: {read: 50%, update: 20%, insert: 10%, scan: 10%, read-modify-write: 10%}
        records: 200
        duration: 2s
        warm-up: 200ms
      staleness: dual-read
      repeats: 1
      events: [{at: 500ms, kill-node: n2}, {at: 1500ms, start-node: n2}]
      """;

  /** All kinds of operations, errors, hints, data centres; and a policy's decisions. */
  private static final Map<String, String> STUDIES =
      Map.of(
          "centres",
          REST
              + """
              store:
                engine: sim
                local-dc: east
                sim:
                  datacenters: {east: 3, west: 3, north: 2}
                  rf: {east: 3, west: 2, north: 1}
                  datacenter-latency: 5ms
              matrix: {consistency: [ONE, ALL], rate: [300/s]}
              """,
          "policy",
          REST
              + """
              store: {engine: sim, sim: {nodes: 5, rf: 3, link-delay: 2ms}}
              matrix: {consistency: [{read: {harmony: {tolerate: 5%}}, write: ONE}], threads: [4]}
              """);

  @TempDir Path folder;

  /** Runs the studies below a folder. */
  public static void main(String[] arguments) throws Exception {
    for (String name : STUDIES.keySet()) {
      SimulatedStudyTest.run(study(Path.of(arguments[0]), name), 1, false);
    }
  }

  private static TestStudy study(Path folder, String name) {
    return TestStudy.of(folder.resolve(name), STUDIES.get(name));
  }

  @Test
  void allFilesOfRunsAreTheSameInEveryProcess() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int number = 0; number < PROCESSES; number++) {
      processes.add(start(number));
    }
    for (int number = 0; number < PROCESSES; number++) {
      int exitCode = processes.get(number).waitFor();
      assertThat(exitCode).as(Files.readString(told(number), UTF_8)).isZero();
    }
    for (String name : STUDIES.keySet()) {
      Map<String, String> first = SimulatedStudyTest.bytes(study(process(0), name));
      assertThat(first).containsKey("results.csv").hasSizeGreaterThan(4);
      for (int number = 1; number < PROCESSES; number++) {
        assertThat(SimulatedStudyTest.bytes(study(process(number), name))).isEqualTo(first);
      }
    }
  }

  private Path process(int number) {
    return folder.resolve("" + number);
  }

  private Process start(int number) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dbasedir=" + TestStudy.MODULE,
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            SimulatedJvmsTest.class.getName(),
            process(number).toString())
        .redirectErrorStream(true)
        .redirectOutput(told(number).toFile())
        .start();
  }

  private Path told(int number) {
    return folder.resolve("told-" + number);
  }
}
