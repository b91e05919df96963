package org.calando.study;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.calando.core.FailedWorkException;

/**
 * Runs a study on a disk of 4 MB that runs full in the second of three runs, tells what is left,
 * makes room and resumes. To be run as root of a mount namespace: arguments are the folder that has
 * {@code cluster.yaml} and the folder to mount the disk on.
 */
final class FullDiskStudy {
  private FullDiskStudy() {}

  static TestStudy study(Path folder, Path disk) {
    return TestStudy.at(
        folder,
        disk.resolve("out"),
        TestStudy.onInventory(
            TestStudy.KEYSPACE,
            """
            workload: {preset: heavy-update, records: 50, operations: 200}
            matrix: {consistency: [ONE], threads: [2]}
            repeats: 3
            """));
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path folder = Path.of(args[0]);
    Path disk = Path.of(args[1]);
    mount(disk);
    System.out.println("mounted");
    TestStudy study = study(folder, disk);
    Path filler = disk.resolve("filler");
    Progress progress = TestStudy.when("\\[2/3\\].*settling", () -> fill(filler));
    try {
      study.run(progress, new StopSignal(), false);
    } catch (FailedWorkException e) {
      System.out.println("FailedWorkException: " + e.getMessage());
    }
    tell(study);
    Files.delete(filler);
    StudyRunner.Result result = study.resume();
    System.out.println("resumed: " + result.runs() + " runs, failed " + result.failed());
  }

  private static void mount(Path disk) throws IOException, InterruptedException {
    List<String> command = List.of("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", "" + disk);
    if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
      System.exit(1);
    }
  }

  private static void fill(Path filler) {
    try (OutputStream out = Files.newOutputStream(filler)) {
      for (byte[] block = new byte[4096]; ; ) {
        out.write(block);
      }
    } catch (IOException full) {
      System.out.println("filled: " + full.getMessage());
    }
  }

  private static void tell(TestStudy study) throws IOException {
    try (Stream<Path> files = Files.walk(study.out())) {
      files
          .filter(Files::isRegularFile)
          .forEach(file -> System.out.println("left: " + study.out().relativize(file)));
    }
    study.text("results.csv").lines().skip(1).forEach(row -> System.out.println("results: " + row));
    System.out.println("status: " + study.row(study.plan().get(0)).path("status").asText());
  }
}
