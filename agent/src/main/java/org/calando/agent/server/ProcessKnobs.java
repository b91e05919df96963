package org.calando.agent.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.calando.agent.AgentWire;
import org.calando.clock.KnobLease;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.store.Capable;
import org.calando.core.store.CompactionLimits;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobTypes;
import org.calando.power.Secret;
import org.calando.power.jmx.JmxSource;
import org.jspecify.annotations.Nullable;

/*
 * JMX can do everything, running code included. So a request names a knob and a value of its range; what is read and
 * written for that, the knob's own folder says. Another knob over JMX is another folder, and nothing here.
 */
/**
 * Knobs of processes that the agent's file names, over their JMX: kinds that are found as services
 * and need no more than that. Thread safe.
 */
final class ProcessKnobs {
  private final Map<String, Reached> processes = new TreeMap<>();
  private final Function<String, KnobLease> leases;
  private final Function<Knob<?>, Optional<String>> noted;

  /** What those on lease go back to, in the words of journals. */
  private final Map<Of, String> before = new ConcurrentHashMap<>();

  /** A knob of a process. */
  record Of(String process, String knob) {}

  /** A knob and what it is. */
  record Bound<V>(KnobAxis<V> axis, Knob<V> knob) {
    String text() {
      return axis.text(knob.current());
    }
  }

  /** A process, and the question that is under way to it. */
  private record Reached(LocalProcess process, OneAtATime<String> questions) {}

  /** One process, as a cluster of which it is the only node. */
  private record LocalProcess(List<String> jmx, Optional<Login> login)
      implements Capable, CompactionLimits {
    static LocalProcess of(JmxSource source) {
      return new LocalProcess(
          List.of(source.host() + ":" + source.port()),
          source.login().map(login -> new Login(login.user(), place(login.password()))));
    }

    private static String place(Secret password) {
      if (password instanceof Secret.InFile file) {
        Path absolute = file.file().toAbsolutePath();
        return "file:" + absolute;
      }
      return "env:" + ((Secret.InVariable) password).name();
    }
  }

  /**
   * Asks and sets nothing yet.
   *
   * @param leases begins a lease for an owner, in words
   * @param noted how a knob was before a lease that has not restored it, also one of an agent that
   *     was killed, whose guard may be at work
   * @param patience how long a question may take
   */
  ProcessKnobs(
      Map<String, JmxSource> sources,
      Function<String, KnobLease> leases,
      Function<Knob<?>, Optional<String>> noted,
      Duration patience) {
    this.leases = leases;
    this.noted = noted;
    sources.forEach(
        (name, source) ->
            processes.put(
                name,
                new Reached(
                    LocalProcess.of(source), new OneAtATime<>(source.describe(), patience))));
  }

  /** Begins a lease, of nothing yet, for an owner, in words. */
  WantedKnobs begin(String owner) {
    return new WantedKnobs(this, leases.apply(owner));
  }

  /**
   * A knob; asks nothing.
   *
   * @throws BadRequestException if there is no such process, or no such knob of it
   */
  Bound<?> find(Of of) {
    LocalProcess process = reached(of).process();
    return KnobTypes.find(of.knob())
        .<Bound<?>>flatMap(axis -> bound(axis, process))
        .orElseThrow(
            () ->
                new BadRequestException(
                    "there is no such knob of a process over JMX",
                    of.process() + ", " + of.knob(),
                    "use an agent of the governor's version"));
  }

  private Reached reached(Of of) {
    @Nullable Reached found = processes.get(of.process());
    if (found == null) {
      throw new BadRequestException(
          "there is no JMX of this name", of.process(), "name it in the agent's file: jmx");
    }
    return found;
  }

  private static <V> Optional<Bound<V>> bound(KnobAxis<V> axis, LocalProcess process) {
    return axis.type()
        .bind(process)
        .filter(knob -> knob.lifetime() == Knob.Lifetime.LEASED)
        .map(knob -> new Bound<>(axis, knob));
  }

  /** A knob is on lease, and goes back to this. */
  void taken(Of of, String value) {
    before.put(of, value);
  }

  /** A knob is not on lease any more. */
  void ended(Of of) {
    before.remove(of);
  }

  /**
   * How a knob stands, as JSON.
   *
   * @param path {@code PROCESS/KNOB}
   * @throws BadRequestException as {@link #find}
   * @throws FailedWorkException if the process does not answer in time, or has not answered the
   *     last question yet; from the stage too
   */
  CompletionStage<String> read(String path) {
    int slash = path.indexOf('/');
    Of of = new Of(path.substring(0, Math.max(slash, 0)), path.substring(slash + 1));
    Bound<?> found = find(of);
    return reached(of)
        .questions()
        .begin(
            () -> AgentWire.text(state(of, found)),
            () -> {
              throw busy(found);
            },
            failure -> {})
        .orElseThrow(() -> busy(found));
  }

  /**
   * What was noted before the value was read, or since: it may have been set or restored meanwhile.
   */
  private AgentWire.KnobState state(Of of, Bound<?> found) {
    Optional<String> first = atRest(of, found);
    String value = found.text();
    return new AgentWire.KnobState(value, first.or(() -> atRest(of, found)).orElse(null));
  }

  private Optional<String> atRest(Of of, Bound<?> found) {
    return Optional.ofNullable(before.get(of)).or(() -> noted.apply(found.knob()));
  }

  private static FailedWorkException busy(Bound<?> found) {
    return new FailedWorkException("has not answered yet", found.knob().target(), "ask again");
  }
}
