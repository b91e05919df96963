package org.calando.local.grep;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.local.EngineLibs;
import org.calando.local.process.JavaCommand;
import org.calando.local.process.ProcessGroup;
import org.calando.local.process.RunFolder;
import org.calando.local.process.SupervisedProcess;

/**
 * Runs Hadoop's MapReduce grep over a folder of a file system: a fresh process for each run, so
 * that none finds connections, compiled code or buffers of an earlier one. Whatever ends the run,
 * and also kill -9 of its owner, leaves neither the process nor its files. Thread safe.
 */
public final class LocalGrep {
  /** The folder of the program among the engines. */
  public static final String ENGINE = "hdfs/grep";

  private static final String MAIN = "org.calando.hdfs.grep.GrepMain";

  /** The name in run folders, which has letters only. */
  private static final String NAME = "grep";

  private static final String LOG = "grep.log";
  private static final String ANSWER = "{\"grep\":1,";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final GrepSpec spec;
  private final ProcessGroup processes;

  private LocalGrep(GrepSpec spec, ProcessGroup processes) {
    this.spec = spec;
    this.processes = processes;
  }

  /**
   * Greps once and waits for the result. Interrupted, it ends the process and fails.
   *
   * @throws BadRequestException if the program's jars are missing
   * @throws FailedWorkException if the process fails or is killed, or the time is up; the message
   *     quotes the end of its log
   */
  public static GrepResult run(GrepSpec spec) {
    List<Path> jars = EngineLibs.find().program(ENGINE);
    RunFolder folder = RunFolder.temporary(RunFolder.base(), NAME, JSON.createObjectNode());
    ProcessGroup processes = new ProcessGroup(folder);
    processes.guardAgainstCrash();
    try {
      return new LocalGrep(spec, processes).run(jars);
    } finally {
      processes.discard();
    }
  }

  private GrepResult run(List<Path> jars) {
    CompletableFuture<Integer> end = new CompletableFuture<>();
    processes.onUnexpectedExit(exit -> end.complete(exit.exitCode()));
    SupervisedProcess process = processes.launch(() -> program(jars));
    int code = await(process, end);
    if (code != 0) {
      throw process.failure("ended with code " + code);
    }
    return answer(process);
  }

  private SupervisedProcess.Spec program(List<Path> jars) {
    Path folder = processes.folder();
    try {
      Files.createDirectories(folder.resolve("tmp"));
      List<String> command =
          new JavaCommand(folder, spec.heapMebibytes())
              .with(
                  "-Djava.net.preferIPv4Stack=true",
                  "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                  "-Dorg.slf4j.simpleLogger.log.org.apache.hadoop.util.NativeCodeLoader=error")
              .running(
                  jars.stream(),
                  true,
                  MAIN,
                  spec.folder(),
                  folder.resolve("scratch").toString(),
                  Integer.toString(spec.maps()),
                  spec.pattern());
      return new SupervisedProcess.Spec(NAME, command, folder, folder.resolve(LOG), true);
    } catch (IOException e) {
      throw new FailedWorkException(
          "the run folder cannot be written: " + e, folder.toString(), "free space there", e);
    }
  }

  private int await(SupervisedProcess process, CompletableFuture<Integer> end) {
    Duration deadline = spec.deadline();
    try {
      return end.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      process.kill();
      throw process.failure("has not ended after " + deadline.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("grep was interrupted", spec.folder(), "run it again", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private GrepResult answer(SupervisedProcess process) {
    try {
      List<String> lines = Files.readAllLines(processes.folder().resolve(LOG));
      for (int i = lines.size() - 1; i >= 0; i--) {
        if (lines.get(i).startsWith(ANSWER)) {
          return checked(JSON.readTree(lines.get(i)));
        }
      }
    } catch (IOException e) {
      throw new FailedWorkException(
          "grep's answer cannot be read: " + e, processes.folder().resolve(LOG).toString(), "", e);
    }
    throw process.failure("ended without an answer");
  }

  private GrepResult checked(JsonNode answer) {
    GrepResult result = read(answer);
    long found = answer.path("found").asLong();
    if (found != result.matches()) {
      throw new FailedWorkException(
          "the maps of a grep found " + found + " matches, its result has " + result.matches(),
          spec.folder(),
          "run it again");
    }
    return result;
  }

  private static GrepResult read(JsonNode answer) {
    return new GrepResult(
        answer.path("bytes").asLong(),
        answer.path("matches").asLong(),
        answer.path("start_s").asDouble(),
        answer.path("search_s").asDouble(),
        answer.path("sort_s").asDouble());
  }
}
