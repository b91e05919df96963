package org.calando.cli.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.calando.cli.Main;
import org.calando.cli.OutputOptions;
import org.calando.store.redis.LagProbe;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code calando redis lag}: whether replicas would keep up with their master at slower clocks. */
@Command(
    name = "lag",
    mixinStandardHelpOptions = true,
    description =
        "Inspects a running master and its replicas: how far replicas lag, how much CPU time a"
            + " write takes them and how often one arrives, and at which clocks they would keep up."
            + " Sends no load and changes nothing; see docs/papers/concerto.md.",
    modelTransformer = RedisLagArguments.class)
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class RedisLagCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = RedisLagArguments.NODES,
      description = "The master, or any node: those it follows and is followed by are found.")
  private List<String> nodes = new ArrayList<>();

  @Spec private CommandSpec spec;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws InterruptedException {
    RedisLagArguments arguments = new RedisLagArguments();
    arguments.take(spec);
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
      seen = look(probe, request, Main.stop(spec), progress);
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
