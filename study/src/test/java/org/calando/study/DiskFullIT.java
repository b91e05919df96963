package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A study whose disk runs full, on a real small disk: a tmpfs in a mount namespace of another JVM's
 * own, which takes the disk with it however it ends.
 */
@ExtendWith(SharedCluster.class)
class DiskFullIT {
  @TempDir Path folder;

  @Test
  void aFullDiskEndsTheStudyAndWhatWasFinishedStays() throws Exception {
    TestStudy.write(folder.resolve("cluster.yaml"), SharedCluster.inventory());
    Path disk = Files.createDirectory(folder.resolve("disk"));
    Path output = folder.resolve("output.txt");
    List<String> command = new ArrayList<>(List.of("unshare", "--mount"));
    if (!System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("--user", "--map-root-user"));
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            FullDiskStudy.class.getName(),
            folder.toString(),
            disk.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("ended in time").isTrue();
    } finally {
      process.destroyForcibly();
    }

    String told = Files.readString(output);
    assertThat(told)
        .as("a disk of our own needs root, or a kernel that lets users have namespaces")
        .contains("mounted\n");
    assertThat(told).contains("FailedWorkException: " + disk).contains("the disk is full");
    assertThat(told).contains("--resume");
    String finished = FullDiskStudy.study(folder, disk).plan().get(0);
    assertThat(told.lines().filter(line -> line.startsWith("left: ")))
        .containsExactlyInAnyOrder(
            "left: environment.json",
            "left: results.csv",
            "left: study.yaml",
            "left: runs/" + finished + "/latency.hlog",
            "left: runs/" + finished + "/nodes.csv",
            "left: runs/" + finished + "/ops.csv",
            "left: runs/" + finished + "/summary.json");
    assertThat(told).contains("results: " + finished + ",cassandra,").contains("status: ok\n");
    assertThat(told).contains("resumed: 3 runs, failed []\n");
    try (Stream<Path> left = Files.list(disk)) {
      assertThat(left).as("the disk was the other JVM's alone").isEmpty();
    }
    assertThat(process.exitValue()).isZero();
  }
}
