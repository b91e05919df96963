package org.calando.cli.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.calando.cli.GivenOptions;
import org.calando.cli.OutputOptions;
import org.calando.store.redis.LagProbe;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code calando redis lag}: whether replicas would keep up with their master at slower clocks. */
@Command(
    name = "lag",
    mixinStandardHelpOptions = true,
    description =
        "Inspects a running master and its replicas: how far replicas lag, how much CPU time a"
            + " write takes them and how often one arrives, and at which clocks they would keep up."
            + " Sends no load and changes nothing; see docs/papers/concerto.md.")
@SuppressWarnings({"NullAway.Init", "unused"}) // picocli sets the fields before the call
final class RedisLagCommand implements Callable<Integer> {
  // Read from what picocli matched, as texts, so that everything that is wrong is told at once.

  @Parameters(
      arity = "1..*",
      paramLabel = RedisLagArguments.NODES,
      description = "The master, or any node: those it follows and is followed by are found.")
  private List<String> nodes = new ArrayList<>();

  @Option(
      names = RedisLagArguments.FOR,
      paramLabel = "TIME",
      description = "How long to look; 10s by default.")
  private @Nullable String look;

  @Option(
      names = RedisLagArguments.POLL,
      paramLabel = "TIME",
      description = "Between two questions for the replicas' offsets; 20ms by default.")
  private @Nullable String poll;

  @Option(
      names = RedisLagArguments.USER,
      paramLabel = "NAME",
      description = "The ACL user; without it the default user.")
  private @Nullable String user;

  @Option(
      names = RedisLagArguments.PASSWORD_FILE,
      paramLabel = "FILE",
      description = "A file whose first line is the password.")
  private @Nullable String passwordFile;

  @Option(
      names = RedisLagArguments.TLS_CA,
      paramLabel = "FILE",
      description =
          "Encrypts the connections, and trusts the certificates that those of this PEM file"
              + " signed.")
  private @Nullable String tlsCa;

  @Option(
      names = RedisLagArguments.STATES,
      paramLabel = "STATES",
      description =
          "Clocks to judge: xeon-silver-4114 (Concerto's), machine, or 2.2GHz@1.10V,1.0GHz@0.86V;"
              + " by default this machine's, or Concerto's where it exposes none.")
  private @Nullable String states;

  @Option(
      names = RedisLagArguments.AT,
      paramLabel = "CLOCK",
      description = "The clock at which the nodes run now; by default the fastest.")
  private @Nullable String at;

  @Option(
      names = RedisLagArguments.LIMIT,
      paramLabel = "SHARE",
      description = "How busy a replica may be to keep up with ease; 60%% by default.")
  private @Nullable String limit;

  @ParentCommand private RedisCommand parent;

  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws InterruptedException {
    RedisLagArguments arguments = new RedisLagArguments();
    GivenOptions.of(spec, arguments::put);
    RedisLagRequest request = arguments.request(nodes);
    List<LagProbe.NodeLag> seen;
    try (LagProbe probe =
            LagProbe.open(
                request.nodes(),
                request.credentials(),
                request.tls(),
                request.pollNanos(),
                System::nanoTime);
        Progress progress = output.progress()) {
      seen = look(probe, request, parent.main().stop(), progress);
    }
    RedisLagAnswer answer = new RedisLagAnswer(request, seen);
    output.print(answer.json(), answer.lines());
    return answer.isKnown() ? 0 : 1;
  }

  private static List<LagProbe.NodeLag> look(
      LagProbe probe, RedisLagRequest request, StopSignal stop, Progress progress)
      throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    StopSignal.Registration registration = stop.onRequest(stopped::countDown);
    try {
      probe.begin();
      long end = System.nanoTime() + request.lookNanos();
      for (long left = request.lookNanos(); left > 0; left = end - System.nanoTime()) {
        progress.status("looking for " + (left / 1_000_000_000L + 1) + " s more");
        if (stopped.await(Math.min(left, request.pollNanos()), TimeUnit.NANOSECONDS)) {
          stop.check();
        }
        probe.look();
      }
      return probe.end();
    } finally {
      registration.close();
    }
  }
}
