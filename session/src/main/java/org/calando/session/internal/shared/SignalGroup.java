package org.calando.session.internal.shared;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.calando.session.internal.Failures;
import org.calando.session.internal.shared.Leadership.Answer;
import org.calando.session.internal.shared.Leadership.Role;

/**
 * An instance's part in a group: does what its {@link Leadership} tells it by requests for the
 * group's rows. One thread at a time.
 */
final class SignalGroup implements AutoCloseable {
  /** The monotonic clock of leases: nobody sets it. */
  static final LongSupplier CLOCK = System::nanoTime;

  /** For whom it is in the group; called by its thread. */
  interface Host {
    /** What to publish now; its times are ages below 0. */
    SignalFigures figures();

    /** The canary's reads so far; its time is an age below 0. */
    TruthTotal truth();

    /** Tables that this instance watches, as text. */
    Set<String> tables();

    /** Takes which tables all instances watch. */
    void watched(Set<String> tables);

    /** Takes what the leader published. */
    void followed(UUID term, ByteBuffer published, Consumer<Integer> instances);
  }

  private final String name;
  private final Optional<SignalRows> rows;
  private final String obstacle;
  private final Executor thread;
  private final Host host;
  private final UUID instance = UUID.randomUUID();
  private final Leadership leadership;
  private long sequence;

  /**
   * Joins a group.
   *
   * @param rows empty if they cannot be used at all
   * @param obstacle why they cannot
   * @param thread runs what answers bring, one at a time
   */
  SignalGroup(
      String name,
      Optional<SignalRows> rows,
      String obstacle,
      LeadershipSettings pace,
      Executor thread,
      Host host) {
    this.name = name;
    this.rows = rows;
    this.obstacle = obstacle;
    this.thread = thread;
    this.host = host;
    this.leadership =
        new Leadership(
            pace,
            () -> ThreadLocalRandom.current().nextDouble(),
            UUID::randomUUID,
            CLOCK.getAsLong());
  }

  String name() {
    return name;
  }

  Role role() {
    return leadership.role();
  }

  boolean measures() {
    return leadership.measures();
  }

  int instances() {
    return leadership.instances();
  }

  Optional<String> trouble() {
    return leadership.trouble();
  }

  /**
   * Begins what is due; to be called several times a second.
   *
   * @param rests whether a governor does what the group would
   */
  void tick(long reads, boolean rests) {
    long now = CLOCK.getAsLong();
    (rests ? leadership.rest(now, reads) : leadership.begin(now, reads)).forEach(this::begin);
  }

  /** How many instances there are, of which another knows. */
  void told(int count) {
    leadership.told(count);
  }

  private void begin(GroupRequest request) {
    UUID term = leadership.term();
    long sent = CLOCK.getAsLong();
    switch (request) {
      case READ -> send(request, sent, all -> all.read(name), this::saw);
      case TAKE ->
          send(
              request,
              sent,
              all -> all.take(name, term),
              ours -> leadership.took(sent, now(), answer(ours), ""));
      case RENEW ->
          send(
              request,
              sent,
              all -> all.renew(name, term),
              ours -> leadership.renewed(sent, now(), answer(ours)));
      case PUBLISH -> {
        ByteBuffer body = body(sent);
        send(
            request,
            sent,
            all -> all.publish(name, term, sequence, body),
            done -> leadership.published(sent, true));
      }
      case REGISTER ->
          send(
              request,
              sent,
              all -> all.register(name, instance, host.tables()),
              done -> leadership.registered(now(), true));
      case COUNT -> send(request, sent, all -> all.members(name), this::counted);
      case LEAVE -> {
        boolean bids = leadership.bids();
        send(request, sent, all -> leave(all, term, bids), done -> leadership.left());
      }
    }
  }

  private static Answer answer(boolean ours) {
    return ours ? Answer.YES : Answer.NO;
  }

  private static long now() {
    return CLOCK.getAsLong();
  }

  private ByteBuffer body(long sent) {
    sequence++;
    return PublicationCodec.write(
        new Publication(sequence, sent, leadership.instances(), host.figures(), host.truth()));
  }

  private void saw(SignalRows.Published seen) {
    leadership.saw(now(), seen.owner());
    if (role() == Role.FOLLOWING && seen.owner().isPresent() && seen.published().isPresent()) {
      host.followed(seen.owner().get(), seen.published().get(), leadership::told);
    }
  }

  private void counted(Map<UUID, Set<String>> members) {
    Set<String> tables = new HashSet<>(host.tables());
    members.values().forEach(tables::addAll);
    host.watched(tables);
    int others = members.containsKey(instance) ? members.size() - 1 : members.size();
    leadership.counted(now(), Optional.of(others + 1));
  }

  /** Of many who leave at once for a governor one only has a bid. */
  private CompletionStage<?> leave(SignalRows all, UUID term, boolean bids) {
    CompletionStage<?> gone = all.unregister(name, instance);
    return bids ? all.release(name, term).thenCombine(gone, (a, b) -> b) : gone;
  }

  private <T> void send(
      GroupRequest request,
      long sent,
      Function<SignalRows, CompletionStage<? extends T>> sending,
      Consumer<T> answered) {
    if (rows.isEmpty()) {
      thread.execute(() -> failed(request, sent, true, obstacle));
      return;
    }
    var unused =
        sending
            .apply(rows.get())
            .whenCompleteAsync(
                (answer, error) -> {
                  if (error == null) {
                    answered.accept(answer);
                  } else {
                    Throwable cause = Failures.cause(error);
                    failed(request, sent, Failures.refused(cause), Failures.text(cause));
                  }
                },
                thread);
  }

  private void failed(GroupRequest request, long sent, boolean refused, String why) {
    switch (request) {
      case READ -> leadership.readFailed(now(), refused, why);
      case TAKE -> leadership.took(sent, now(), refused ? Answer.REFUSED : Answer.FAILED, why);
      case RENEW -> leadership.renewed(sent, now(), Answer.FAILED);
      case PUBLISH -> leadership.published(sent, false);
      case REGISTER -> leadership.registered(now(), false);
      case COUNT -> leadership.counted(now(), Optional.empty());
      case LEAVE -> leadership.left();
    }
  }

  /** Leaves the group; what cannot be sent any more ends by itself. */
  @Override
  public void close() {
    boolean bids = leadership.bids();
    if (bids || role() == Role.FOLLOWING) {
      rows.ifPresent(
          all -> {
            var unused = all.unregister(name, instance);
            if (bids) {
              var unused2 = all.release(name, leadership.term());
            }
          });
    }
  }
}
