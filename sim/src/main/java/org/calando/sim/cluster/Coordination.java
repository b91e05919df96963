package org.calando.sim.cluster;

import org.calando.core.store.Outcome;
import org.jspecify.annotations.Nullable;

/** What nodes do about each message, and about deadlines. Not thread safe. */
final class Coordination implements Nodes.Listener {
  private final Messages messages;
  private final Versions versions;
  private final ReplicaPicker picker;
  private final Lives lives;
  private final Mail mail;
  private final ClientSide clients;
  private final Membership membership;
  private final Housekeeping housekeeping;
  private final Reads reads;
  private final Writes writes;
  private final @Nullable ReplicaWork work;

  long read;
  long written;
  long lost;
  long hinted;

  Coordination(
      Messages messages,
      Versions versions,
      ReplicaPicker picker,
      Lives lives,
      Mail mail,
      ClientSide clients,
      Membership membership,
      Housekeeping housekeeping,
      Reads reads,
      Writes writes,
      @Nullable ReplicaWork work) {
    this.messages = messages;
    this.versions = versions;
    this.picker = picker;
    this.lives = lives;
    this.mail = mail;
    this.clients = clients;
    this.membership = membership;
    this.housekeeping = housekeeping;
    this.reads = reads;
    this.writes = writes;
    this.work = work;
  }

  @Override
  public void begins(Message message) {
    long key = message.key;
    message.version = versions.get(key, message.place);
  }

  @Override
  public void served(Message message) {
    switch (message.type) {
      case Messages.REQUEST -> coordinate(message);
      case Messages.READ, Messages.DIGEST -> {
        read++;
        mail.reply(message, Messages.RESPONSE);
      }
      case Messages.WRITE, Messages.REPAIR -> {
        written++;
        long key = message.key;
        versions.put(key, message.place, message.version);
        if (message.type == Messages.WRITE) {
          writes.written(message.operation);
        }
        if (work != null) {
          work.arrived(message);
        }
        mail.reply(message, Messages.ACKNOWLEDGEMENT);
      }
      case Messages.HINT -> {
        hinted++;
        versions.put(message.key, message.place, message.version);
        membership.hintCame(message.node);
        messages.free(message);
      }
      case Messages.RESPONSE, Messages.ACKNOWLEDGEMENT -> replied(message);
      case Messages.CLIENT_REQUEST -> clients.requestMade(message);
      case Messages.CLIENT_ANSWER -> clients.answerRead(message);
      case Messages.BACKGROUND, Messages.OWN -> housekeeping.ended(message);
      default -> throw new IllegalStateException("a message of no type");
    }
  }

  @Override
  public void lost(Message message) {
    switch (message.type) {
      case Messages.BACKGROUND, Messages.OWN -> housekeeping.ended(message);
      // Its client has the answer, and too much else to do.
      case Messages.CLIENT_ANSWER -> clients.answerRead(message);
      case Messages.HINT -> {
        lost++;
        membership.hintLost(
            message.node,
            new Hints.Hint(message.from, message.key, message.place, message.version));
        messages.free(message);
      }
      default -> {
        lost++;
        if (message.type == Messages.WRITE) {
          if (work != null) {
            work.arrived(message);
          }
          writes.lost(message);
        } else if (isOfWrite(message)) {
          writes.acknowledgementLost(message);
        }
        OperationRecord operation = message.operation;
        messages.free(message);
        lives.release(operation);
      }
    }
  }

  @Override
  public boolean neverLeft(Message message) {
    return message.type == Messages.WRITE && writes.neverLeft(message);
  }

  /** An operation's deadline has come. */
  void expire(OperationRecord operation) {
    if (operation.type == OperationRecord.WRITE) {
      writes.keepForUnanswered(operation);
    }
    if (operation.state != OperationRecord.ENDED) {
      lives.end(operation, Outcome.INDETERMINATE);
      clients.tell(operation);
    }
    lives.freeIfDone(operation);
  }

  private void coordinate(Message message) {
    OperationRecord operation = message.operation;
    int coordinator = message.node;
    messages.free(message);
    if (operation.state != OperationRecord.ENDED) {
      operation.life = membership.life(coordinator);
      int up = picker.up(operation.replicas);
      if (!lives.suffice(operation, up)) {
        clients.answer(operation, Outcome.REFUSED);
      } else if (operation.type == OperationRecord.READ) {
        reads.ask(operation, up);
      } else {
        writes.send(operation, up);
      }
    }
    lives.release(operation);
  }

  /** Whether a message is an acknowledgement of a write, and not of a repair. */
  private boolean isOfWrite(Message message) {
    return message.type == Messages.ACKNOWLEDGEMENT
        && message.operation.type == OperationRecord.WRITE;
  }

  /** A coordinator that failed since it asked knows nothing of the operation any more. */
  private void replied(Message message) {
    if (message.operation.life != membership.life(message.node)) {
      lost(message);
    } else if (message.type == Messages.RESPONSE) {
      reads.response(message);
    } else {
      acknowledged(message);
    }
  }

  private void acknowledged(Message message) {
    if (message.round == 1) {
      reads.repaired(message);
    } else if (isOfWrite(message)) {
      writes.acknowledged(message);
    } else {
      // Of a repair after the answer.
      OperationRecord operation = message.operation;
      messages.free(message);
      lives.release(operation);
    }
  }
}
