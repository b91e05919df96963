package org.calando.power.snmp;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.calando.power.MeterException;
import org.calando.power.Ticker;
import org.jspecify.annotations.Nullable;
import org.snmp4j.PDU;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.VariableBinding;

/**
 * Asks one device for many objects: in one message if it fits, else one message after another.
 * Bounded by its deadline. The steps follow each other, in whichever thread the answer arrives.
 */
final class SnmpExchange {
  private final SnmpDevice device;
  private final SnmpSession session;
  private final Ticker ticker;
  private final AtomicInteger perMessage;
  private final long deadlineNanos;
  private final Deque<OID> open;
  private final Map<OID, SnmpAnswers.Answer> answers = new HashMap<>();
  private final CompletableFuture<SnmpAnswers> result = new CompletableFuture<>();
  private final long beganNanos;
  private int retriesLeft;

  /**
   * An exchange that has not begun.
   *
   * @param perMessage most objects in one message; lowered where the device says too many
   * @param oids what to ask for
   */
  SnmpExchange(
      SnmpDevice device,
      SnmpSession session,
      Ticker ticker,
      AtomicInteger perMessage,
      Collection<OID> oids,
      long deadlineNanos) {
    this.device = device;
    this.session = session;
    this.ticker = ticker;
    this.perMessage = perMessage;
    this.deadlineNanos = deadlineNanos;
    open = new ArrayDeque<>(oids);
    retriesLeft = device.retries();
    beganNanos = ticker.nanos();
  }

  /** Begins, and returns at once; the result fails with a {@link MeterException}. */
  CompletableFuture<SnmpAnswers> begin() {
    askNext();
    return result;
  }

  private void askNext() {
    if (open.isEmpty()) {
      result.complete(new SnmpAnswers(answers));
      return;
    }
    long sentNanos = ticker.nanos();
    long leftNanos = deadlineNanos - sentNanos;
    if (leftNanos <= 0 || result.isDone()) {
      fail(SnmpFailures.noAnswer(device, ticker.nanos() - beganNanos));
      return;
    }
    List<OID> asked = open.stream().limit(perMessage.get()).toList();
    var unused =
        session
            .get(asked, Math.min(device.timeoutNanos(), leftNanos))
            .whenComplete((answer, error) -> safely(() -> take(asked, answer, error, sentNanos)));
  }

  /** Whatever fails here must not be lost in the library's thread. */
  private void safely(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      fail(SnmpFailures.broken(device, e));
    }
  }

  private void take(
      List<OID> asked, @Nullable PDU answer, @Nullable Throwable error, long sentNanos) {
    if (answer == null) {
      Throwable cause = error instanceof CompletionException ? error.getCause() : error;
      repeatOrFail(cause);
    } else if (answer.getType() == PDU.REPORT) {
      session.forgetEngine();
      fail(SnmpFailures.report(device, answer));
    } else if (answer.getErrorStatus() == PDU.noError) {
      long atNanos = sentNanos + (ticker.nanos() - sentNanos) / 2;
      for (VariableBinding binding : answer.getVariableBindings()) {
        OID oid = binding.getOid();
        answers.put(oid, new SnmpAnswers.Answer(binding.getVariable(), "", atNanos));
      }
      proceedWithout(asked);
    } else {
      takeError(asked, answer, sentNanos);
    }
  }

  private void repeatOrFail(@Nullable Throwable cause) {
    // A device that restarted may have another identity, and is silent to who uses the old one.
    session.forgetEngine();
    if (!(cause instanceof SnmpSession.NoAnswer)) {
      fail(SnmpFailures.broken(device, cause));
    } else if (retriesLeft > 0) {
      retriesLeft--;
      askNext();
    } else {
      fail(SnmpFailures.noAnswer(device, ticker.nanos() - beganNanos));
    }
  }

  /** An error concerns the message as a whole or, by its index, one object. */
  private void takeError(List<OID> asked, PDU answer, long sentNanos) {
    int index = answer.getErrorIndex();
    if (answer.getErrorStatus() == PDU.tooBig && asked.size() > 1) {
      int half = asked.size() / 2;
      perMessage.updateAndGet(most -> Math.min(most, half));
      askNext();
    } else if (index >= 1 && index <= asked.size()) {
      OID refused = asked.get(index - 1);
      String text = answer.getErrorStatusText();
      answers.put(refused, new SnmpAnswers.Answer(null, text, sentNanos));
      proceedWithout(List.of(refused));
    } else {
      fail(SnmpFailures.refused(device, answer.getErrorStatusText()));
    }
  }

  private void proceedWithout(List<OID> done) {
    open.removeAll(new ArrayList<>(done));
    retriesLeft = device.retries();
    askNext();
  }

  private void fail(MeterException failure) {
    result.completeExceptionally(failure);
  }
}
