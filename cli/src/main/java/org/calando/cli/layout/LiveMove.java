package org.calando.cli.layout;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.cli.Answer;
import org.calando.cli.StateFolder;
import org.calando.cli.layout.LiveMoveRequest.What;
import org.calando.cli.layout.TokenJournals.Unfinished;
import org.calando.control.JournalEntry;
import org.calando.control.KnobOwners;
import org.calando.control.Lease;
import org.calando.control.file.PlanNotes;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.RingTokens;
import org.calando.core.policy.Plan;
import org.calando.engine.cassandra.ClusterAccess;
import org.calando.store.cassandra.CommandMover;
import org.calando.store.cassandra.JmxMover;
import org.calando.store.cassandra.LiveRing;
import org.calando.store.cassandra.RingKeyspace;
import org.calando.store.cassandra.RingState;
import org.calando.store.cassandra.TokenKnob;
import org.calando.store.cassandra.TokenMover;
import org.calando.study.Progress;
import org.calando.study.StopSignal;

/** Moves the nodes of a live cluster into a layout, by a plan that outlives the command. */
final class LiveMove {
  private static final int MOST_NAMES = 4;
  private static final String RESUME = "./calando layout move of that cluster, with --resume";

  private final ClusterAccess access;
  private final LiveMoveRequest request;
  private final StopSignal stop;
  private final Progress progress;
  private final TokenJournals journals = new TokenJournals(StateFolder.journals());

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
      if (request.what() == What.ABANDON) {
        return abandon(live.hostIds());
      }
      RingState ring = live.read();
      ring.requireMovable();
      return request.dryRun() ? dryRun(live, ring) : move(live, ring);
    }
  }

  /** Nothing but journals is touched: nodes may be down, and the plan of nodes that are gone. */
  private Answer abandon(Set<String> hosts) {
    List<Unfinished> plans = journals.unfinished(hosts);
    if (plans.isEmpty()) {
      throw noPlan();
    }
    for (Unfinished plan : plans) {
      try (Lease left = left(plan)) {
        left.open().forEach(left::giveUp);
        PlanNotes.kept().ifPresent(notes -> notes.end(plan.file()));
      }
    }
    return Answer.said("the unfinished plan is abandoned; nodes stay where they are");
  }

  private static Lease left(Unfinished plan) {
    return Lease.left(plan.file())
        .orElseThrow(
            () ->
                new FailedWorkException(
                    "another process carries the plan out",
                    plan.file().toString(),
                    "end that process, or wait for its end"));
  }

  private Answer dryRun(LiveRing live, RingState ring) {
    List<String> notes = new ArrayList<>();
    Optional<Unfinished> open = Optional.empty();
    try {
      open = unfinished(ring);
    } catch (FailedWorkException | BadRequestException e) {
      if (request.what() != What.GO) {
        throw e;
      }
      notes.add("note: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
    if (request.what() == What.GO) {
      open.ifPresent(plan -> notes.add("note: there is an unfinished plan to " + plan.label()));
    }
    takingFromAny(live).ifPresent(what -> notes.add("note: " + what));
    LiveMoveAnswer answer = new LiveMoveAnswer(plan(ring, open), notes);
    return new Answer(answer.json(), answer.table());
  }

  /** The unfinished plan of a cluster that has the nodes which it is for. */
  private Optional<Unfinished> unfinished(RingState ring) {
    List<Unfinished> plans = journals.unfinished(ring.tokens().keySet());
    plans.forEach(plan -> plan.requireFor(ring));
    return plans.stream().findFirst();
  }

  private static Optional<String> takingFromAny(LiveRing live) {
    List<String> nodes = live.takingFromAny();
    return nodes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            (nodes.size() <= MOST_NAMES
                    ? String.join(", ", nodes)
                    : nodes.get(0) + " and " + (nodes.size() - 1) + " other nodes")
                + " may take data from any replica, not from the one that gives it up"
                + " (cassandra.consistent.rangemovement=false): repair afterwards");
  }

  /** What is asked for, of the unfinished plan if it is that. */
  private LiveMovePlan plan(RingState ring, Optional<Unfinished> open) {
    if (request.what() == What.GO) {
      return LiveMovePlan.of(
          ring,
          request.share().orElseThrow(),
          request.arrangement(),
          request.label(),
          request.cleanup());
    }
    Unfinished begun = open.orElseThrow(LiveMove::noPlan);
    RingTokens to = begun.to();
    return request.what() == What.UNDO
        ? LiveMovePlan.back(ring, begun.before(), to)
        : LiveMovePlan.of(ring, to.label(), to);
  }

  private static BadRequestException noPlan() {
    return new BadRequestException(
        "there is no unfinished plan for this cluster",
        "layout move",
        "name a --layout to make one");
  }

  private Answer move(LiveRing live, RingState ring) throws InterruptedException {
    requireAllowed();
    TokenMover mover = mover(ring);
    ShownPace pace = new ShownPace(stop, progress);
    TokenKnob knob = new TokenKnob(ring, live, mover, pace, request.within());
    try (Lease lease = take(ring, knob)) {
      Optional<Unfinished> open = unfinished(ring);
      requireAtRest(live, ring, open);
      LiveMovePlan plan = going(ring, open);
      if (plan.isEmpty() && open.isEmpty()) {
        return Answer.said("nothing to move: every node is where it belongs");
      }
      requireCleanup(plan);
      pace.expect(plan.forecast().steps().size());
      progress.line(
          "To %s: %d moves, %s to be streamed"
              .formatted(
                  plan.label(),
                  plan.forecast().steps().size(),
                  MoveAnswer.size(BigInteger.valueOf(plan.forecast().streamedBytes()))));
      takingFromAny(live).ifPresent(what -> progress.line("Note: " + what));
      try {
        carryOut(lease, knob, plan, open);
      } finally {
        if (lease.open().isEmpty()) {
          PlanNotes.kept().ifPresent(notes -> notes.end(journals.file(ring)));
        }
      }
      return done(live.read(), plan, pace);
    }
  }

  /** Whoever moves nodes by no plan of this machine would be in the midst of a plan of his own. */
  private static void requireAtRest(LiveRing live, RingState ring, Optional<Unfinished> open) {
    List<String> moving = live.moving();
    if (open.isEmpty() && !moving.isEmpty()) {
      throw new BadRequestException(
          String.join(", ", moving) + " is moving, by no plan that is known here",
          "cluster " + ring.cluster(),
          "resume where that plan was made (another machine, or another CALANDO_STATE), or wait"
              + " until nodetool netstats reports that the node is at rest");
    }
  }

  private Lease take(RingState ring, TokenKnob knob) {
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
    return Lease.durable(
        journals.file(ring),
        KnobOwners.in(StateFolder.owners(), "./calando layout move" + what),
        knob);
  }

  /** The new plan, or the unfinished one if it leads where the request does. */
  private LiveMovePlan going(RingState ring, Optional<Unfinished> open) {
    if (request.what() != What.GO || open.isEmpty()) {
      return plan(ring, open);
    }
    RingTokens to = open.get().to();
    if (!to.label().equals(request.label()) || to.cleanup() != request.cleanup()) {
      throw new BadRequestException(
          "there is an unfinished plan to " + open.get().label() + "; nothing was changed",
          "cluster " + ring.cluster(),
          "finish it by --resume, take it back by --undo, or leave it by --abandon");
    }
    if (open.get().isGoingBack()) {
      throw new BadRequestException(
          "the plan to " + open.get().label() + " is partly reverted; nothing was changed",
          "cluster " + ring.cluster(),
          "go on taking it back by --undo, or say by --resume that it is to go forward again");
    }
    return LiveMovePlan.of(ring, to.label(), to);
  }

  private void carryOut(Lease lease, TokenKnob knob, LiveMovePlan plan, Optional<Unfinished> open)
      throws InterruptedException {
    try {
      if (open.isEmpty()) {
        RingTokens before = RingTokens.now(plan.ring().tokens());
        Path journal = journals.file(plan.ring());
        PlanNotes.kept().ifPresent(notes -> notes.begin(journal, plan.label(), RESUME));
        long unused = lease.set(knob, before, plan.to(), before.text());
        return;
      }
      JournalEntry last = open.get().last();
      Plan same = knob.plan(open.get().before(), open.get().to());
      if (request.what() == What.UNDO) {
        lease.takeBack(same, last);
      } else {
        lease.finish(same, last);
      }
    } catch (InterruptedException e) {
      progress.line(
          "Stopped. A node that is moving continues by itself; resume by "
              + (request.what() == What.UNDO ? "--undo (--resume moves forward)" : "--resume"));
      stop.check();
      throw e;
    }
  }

  private Answer done(RingState ring, LiveMovePlan plan, ShownPace pace) {
    ObjectNode json = Answer.object();
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
}
