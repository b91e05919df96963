package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.cli.LiveMoveRequest.What;
import org.calando.control.Journal;
import org.calando.control.JournalEntry;
import org.calando.control.KnobOwner;
import org.calando.control.PlanExecutor;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.RingTokens;
import org.calando.core.policy.Plan;
import org.calando.store.cassandra.CommandMover;
import org.calando.store.cassandra.JmxMover;
import org.calando.store.cassandra.LiveRing;
import org.calando.store.cassandra.RingKeyspace;
import org.calando.store.cassandra.RingState;
import org.calando.store.cassandra.TokenKnob;
import org.calando.store.cassandra.TokenMover;
import org.calando.study.ClusterAccess;
import org.calando.study.Progress;
import org.calando.study.StopSignal;

/** Moves the nodes of a live cluster into a layout, by a plan that outlives the command. */
final class LiveMove {
  private final ClusterAccess access;
  private final LiveMoveRequest request;
  private final StopSignal stop;
  private final Progress progress;

  /** What was done, in JSON and for people. */
  record Answer(ObjectNode json, List<String> lines) {}

  LiveMove(ClusterAccess access, LiveMoveRequest request, StopSignal stop, Progress progress) {
    this.access = access;
    this.request = request;
    this.stop = stop;
    this.progress = progress;
  }

  /**
   * Tells or does what is asked for; blocks.
   *
   * @throws BadRequestException if the cluster cannot be moved so, another process moves it, or
   *     there is an unfinished plan to another layout
   * @throws FailedWorkException if a node does not answer, or a step failed
   * @throws InterruptedException if the command is to end
   */
  Answer run() throws InterruptedException {
    try (LiveRing live = LiveRing.connect(access.config(), access.names())) {
      stop.check();
      RingState ring = live.read();
      ring.requireMovable();
      return request.dryRun() ? dryRun(ring) : move(live, ring);
    }
  }

  private Answer dryRun(RingState ring) {
    Path file = journal(ring);
    List<String> notes = new ArrayList<>();
    Optional<JournalEntry> open = Optional.empty();
    if (Files.exists(file)) {
      try (Journal journal = Journal.open(file)) {
        open = journal.open().stream().findFirst();
      } catch (FailedWorkException e) {
        if (request.what() != What.GO) {
          throw e;
        }
        notes.add("note: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      }
    }
    if (request.what() == What.GO) {
      open.ifPresent(last -> notes.add("note: there is an unfinished plan to " + label(last)));
    }
    LiveMoveAnswer answer = new LiveMoveAnswer(plan(ring, open), notes);
    return new Answer(answer.json(), answer.table());
  }

  /** What is asked for, of the unfinished plan if it is that. */
  private LiveMovePlan plan(RingState ring, Optional<JournalEntry> open) {
    if (request.what() == What.GO) {
      return LiveMovePlan.of(
          ring,
          request.share().orElseThrow(),
          request.arrangement(),
          request.label(),
          request.cleanup());
    }
    JournalEntry last = unfinished(open);
    RingTokens to = RingTokens.parse(last.value());
    return request.what() == What.UNDO
        ? LiveMovePlan.back(ring, RingTokens.parse(last.before()), to)
        : LiveMovePlan.of(ring, to.label(), to);
  }

  private static JournalEntry unfinished(Optional<JournalEntry> open) {
    return open.orElseThrow(
        () ->
            new BadRequestException(
                "there is no unfinished plan for this cluster",
                "layout move",
                "name a --layout to make one"));
  }

  private Answer move(LiveRing live, RingState ring) throws InterruptedException {
    requireAllowed();
    TokenMover mover = mover(ring);
    ShownPace pace = new ShownPace(stop, progress);
    TokenKnob knob = new TokenKnob(ring, live, mover, pace, request.within());
    KnobOwner owner = own(knob);
    try (Journal journal = Journal.open(journal(ring))) {
      PlanExecutor executor = new PlanExecutor(journal, Instant::now, PlanExecutor.OnFailure.LEAVE);
      Optional<JournalEntry> open = journal.open().stream().findFirst();
      if (request.what() == What.ABANDON) {
        executor.giveUp(unfinished(open));
        return said("the unfinished plan is given up; nodes stay where they are");
      }
      LiveMovePlan plan = going(ring, open);
      if (plan.isEmpty() && open.isEmpty()) {
        return said("nothing to move: every node is where it belongs");
      }
      requireCleanup(plan);
      pace.expect(plan.forecast().steps().size());
      progress.line(
          "To %s: %d moves, %s to be streamed"
              .formatted(
                  plan.label(),
                  plan.forecast().steps().size(),
                  MoveAnswer.size(BigInteger.valueOf(plan.forecast().streamedBytes()))));
      carryOut(executor, knob, plan, open);
      return done(live.read(), plan, pace);
    } finally {
      owner.close();
    }
  }

  private KnobOwner own(TokenKnob knob) {
    try {
      Files.createDirectories(StateFolder.journals());
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be made: " + e.getMessage(),
          StateFolder.journals().toString(),
          "make room there, or name another folder by CALANDO_STATE",
          e);
    }
    String what = request.label().isEmpty() ? "" : " to " + request.label();
    return KnobOwner.take(StateFolder.owners(), knob, "./calando layout move" + what);
  }

  /** The new plan, or the unfinished one if it leads where the request does. */
  private LiveMovePlan going(RingState ring, Optional<JournalEntry> open) {
    if (request.what() != What.GO || open.isEmpty()) {
      return plan(ring, open);
    }
    RingTokens to = RingTokens.parse(open.get().value());
    if (!to.label().equals(request.label()) || to.cleanup() != request.cleanup()) {
      throw new BadRequestException(
          "there is an unfinished plan to " + label(open.get()) + "; nothing was changed",
          "cluster " + ring.cluster(),
          "finish it by --resume, take it back by --undo, or leave it by --abandon");
    }
    return LiveMovePlan.of(ring, to.label(), to);
  }

  private void carryOut(
      PlanExecutor executor, TokenKnob knob, LiveMovePlan plan, Optional<JournalEntry> open)
      throws InterruptedException {
    try {
      if (open.isEmpty()) {
        RingTokens before = RingTokens.now(plan.ring().tokens());
        executor.execute(knob.plan(before, plan.to()), before.text(), knob.lifetime());
        return;
      }
      JournalEntry last = open.get();
      Plan same = knob.plan(RingTokens.parse(last.before()), RingTokens.parse(last.value()));
      if (request.what() == What.UNDO) {
        executor.takeBack(same, last);
      } else {
        executor.finish(same, last);
      }
    } catch (InterruptedException e) {
      progress.line(
          "Stopped. A node that is moving goes on by itself; go on by "
              + (request.what() == What.UNDO ? "--undo (--resume moves forward)" : "--resume"));
      stop.check();
      throw e;
    }
  }

  private Answer done(RingState ring, LiveMovePlan plan, ShownPace pace) {
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("cluster", ring.cluster());
    json.put("layout", plan.label());
    json.put("dry_run", false);
    json.put("moved", pace.moved());
    json.put("predicted_bytes", plan.forecast().streamedBytes());
    json.put("streamed_bytes", pace.streamedBytes());
    ring.nodes()
        .forEach(
            node ->
                json.withArray("nodes")
                    .addObject()
                    .put("node", node.name())
                    .put("token", node.tokens().get(0).toString()));
    List<String> lines = new ArrayList<>();
    lines.add(
        "at %s; moved by this command: %d, %s streamed, %s predicted"
            .formatted(
                plan.label(),
                pace.moved(),
                MoveAnswer.size(BigInteger.valueOf(pace.streamedBytes())),
                MoveAnswer.size(BigInteger.valueOf(plan.forecast().streamedBytes()))));
    if (!plan.to().cleanup()) {
      lines.add(
          "nodes keep on disk what they no longer own: the same with --cleanup drops it, which is");
      lines.add("needed before a node gets back what it gave up, or deleted rows may return");
    }
    return new Answer(json, lines);
  }

  private static Answer said(String what) {
    return new Answer(new ObjectMapper().createObjectNode().put("answer", what), List.of(what));
  }

  private void requireAllowed() {
    if (!access.onThisMachine() && !request.allowLoad()) {
      throw new BadRequestException(
          "the cluster is not on this machine, and moves stream its data",
          "layout move",
          "look at it by --dry-run, then add --allow-load if that is what you want");
    }
  }

  private TokenMover mover(RingState ring) {
    if (request.moveCommand() != null) {
      return new CommandMover(request.moveCommand(), request.cleanupCommand());
    }
    if (ring.nodes().stream().allMatch(node -> node.jmx().isPresent())) {
      return new JmxMover(
          access.config().jmxCredentials(),
          ring.keyspaces().stream().map(RingKeyspace::name).toList());
    }
    throw new BadRequestException(
        "nothing has nodes move: the inventory does not give every node's jmx",
        "layout move",
        "give it, or --move-command \"ssh {address} nodetool move -- {token}\"; or carry the plan"
            + " of --dry-run out by hand");
  }

  private void requireCleanup(LiveMovePlan plan) {
    if (plan.to().cleanup()
        && request.moveCommand() != null
        && request.cleanupCommand() == null
        && request.what() != What.UNDO) {
      throw new BadRequestException(
          "the plan has nodes clean up, and no --cleanup-command is given beside --move-command",
          "layout move",
          "give it: \"ssh {address} nodetool cleanup\"");
    }
  }

  private static Path journal(RingState ring) {
    String name = ring.target().replaceAll("[^A-Za-z0-9._-]", "_");
    return StateFolder.journals().resolve("tokens-" + name + ".journal");
  }

  private static String label(JournalEntry entry) {
    RingTokens to = RingTokens.parse(entry.value());
    return to.label() + (to.cleanup() ? " with cleanup" : "") + " of " + entry.at();
  }
}
