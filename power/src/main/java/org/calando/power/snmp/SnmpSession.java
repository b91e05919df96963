package org.calando.power.snmp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.calando.power.MeterException;
import org.snmp4j.CommunityTarget;
import org.snmp4j.MessageDispatcherImpl;
import org.snmp4j.PDU;
import org.snmp4j.SNMP4JSettings;
import org.snmp4j.SNMP4JSettings.ReportSecurityLevelStrategy;
import org.snmp4j.ScopedPDU;
import org.snmp4j.Snmp;
import org.snmp4j.Target;
import org.snmp4j.UserTarget;
import org.snmp4j.event.ResponseEvent;
import org.snmp4j.event.ResponseListener;
import org.snmp4j.mp.CounterSupport;
import org.snmp4j.mp.MPv2c;
import org.snmp4j.mp.MPv3;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.security.SecurityModels;
import org.snmp4j.security.SecurityProtocols;
import org.snmp4j.security.SecurityProtocols.SecurityProtocolSet;
import org.snmp4j.security.USM;
import org.snmp4j.smi.Address;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.smi.VariableBinding;
import org.snmp4j.transport.DefaultUdpTransportMapping;

/**
 * A socket, the state of its security and the address of one device. Nothing of it is shared with
 * other sessions, so that devices may have users of the same name with different passwords. Thread
 * safe.
 */
final class SnmpSession implements AutoCloseable {
  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final int ENGINE_ID_BYTES = 8;

  static {
    // Agents cannot sign the report that a password is wrong. Without these reports such a mistake
    // looks like a device that is switched off; who forges one can but spoil a reading.
    SNMP4JSettings.setReportSecurityLevelStrategy(ReportSecurityLevelStrategy.noAuthNoPrivIfNeeded);
  }

  private final SnmpDevice device;
  private final Snmp snmp;
  private final MPv3 messages;
  private final USM usm;
  private final UdpAddress address;
  private final OctetString securityName;

  private SnmpSession(
      SnmpDevice device,
      Snmp snmp,
      MPv3 messages,
      USM usm,
      UdpAddress address,
      OctetString securityName) {
    this.device = device;
    this.snmp = snmp;
    this.messages = messages;
    this.usm = usm;
    this.address = address;
    this.securityName = securityName;
  }

  /**
   * Opens a socket; asks nothing yet.
   *
   * @throws MeterException if the host is not known, or a password cannot be had or used
   */
  static SnmpSession open(SnmpDevice device) throws MeterException {
    UdpAddress address = resolve(device);
    // Random: the library's own choice asks the name service for this machine's name.
    OctetString engine = randomEngine();
    SecurityProtocols protocols = new SecurityProtocols(SecurityProtocolSet.maxCompatibility);
    CounterSupport counters = new CounterSupport();
    USM usm = new USM(protocols, engine, 0, counters);
    OctetString securityName = securityName(device, usm);
    SecurityModels models = new SecurityModels().addSecurityModel(usm);
    MPv3 messages = new MPv3(engine.getValue(), null, protocols, models, counters);
    MessageDispatcherImpl dispatcher = new MessageDispatcherImpl();
    dispatcher.addMessageProcessingModel(new MPv2c());
    dispatcher.addMessageProcessingModel(messages);
    try {
      Snmp snmp = new Snmp(dispatcher, new DefaultUdpTransportMapping());
      snmp.listen();
      return new SnmpSession(device, snmp, messages, usm, address, securityName);
    } catch (IOException e) {
      throw new MeterException(
          "no socket can be opened: " + e.getMessage(), device.where(), "free some sockets", e);
    }
  }

  private static OctetString randomEngine() {
    byte[] id = new byte[ENGINE_ID_BYTES];
    new SecureRandom().nextBytes(id);
    return new OctetString(MPv3.createLocalEngineID(new OctetString(id)));
  }

  private static UdpAddress resolve(SnmpDevice device) throws MeterException {
    try {
      return new UdpAddress(InetAddress.getByName(device.host()), device.port());
    } catch (UnknownHostException e) {
      throw new MeterException(
          "the host name is not known", device.where(), "correct its address", e);
    }
  }

  private static OctetString securityName(SnmpDevice device, USM usm) throws MeterException {
    if (device.access() instanceof SnmpAccess.User user) {
      usm.addUser(SnmpUsers.user(device, user));
      return octets(user.name());
    }
    SnmpAccess.Community access = (SnmpAccess.Community) device.access();
    return octets(access.community().isEmpty() ? "public" : access.community().get().read());
  }

  static OctetString octets(String text) {
    return new OctetString(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Asks once.
   *
   * @param oids what to ask for
   * @param timeoutNanos how long to wait for the answer
   * @return the answer, which may be a report of an error; fails with {@link NoAnswer} or with what
   *     went wrong here
   */
  CompletableFuture<PDU> get(List<OID> oids, long timeoutNanos) {
    CompletableFuture<PDU> answer = new CompletableFuture<>();
    PDU request = securityLevel() == 0 ? new PDU() : new ScopedPDU();
    request.setType(PDU.GET);
    oids.forEach(oid -> request.add(new VariableBinding(oid)));
    try {
      snmp.send(request, target(timeoutNanos), null, listener(answer));
    } catch (IOException | RuntimeException e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private ResponseListener listener(CompletableFuture<PDU> answer) {
    return new ResponseListener() {
      @Override
      public <A extends Address> void onResponse(ResponseEvent<A> event) {
        // An asynchronous request is kept, to hear more answers, until it is cancelled.
        snmp.cancel(event.getRequest(), this);
        PDU response = event.getResponse();
        if (response != null) {
          answer.complete(response);
        } else {
          Exception error = event.getError();
          answer.completeExceptionally(error == null ? new NoAnswer() : error);
        }
      }
    };
  }

  private Target<UdpAddress> target(long timeoutNanos) {
    Target<UdpAddress> target;
    if (device.access() instanceof SnmpAccess.User) {
      UserTarget<UdpAddress> user = new UserTarget<>();
      user.setSecurityLevel(securityLevel());
      user.setSecurityName(securityName);
      user.setVersion(SnmpConstants.version3);
      target = user;
    } else {
      target = new CommunityTarget<>(address, securityName);
      target.setVersion(SnmpConstants.version2c);
    }
    target.setAddress(address);
    target.setTimeout(Math.max(1, timeoutNanos / NANOS_PER_MILLI));
    // Repetitions are the exchange's: each has its own time of sending.
    target.setRetries(0);
    return target;
  }

  /** Of a user, 1 or more; 0 for a community. */
  private int securityLevel() {
    return device.access() instanceof SnmpAccess.User user ? SnmpUsers.level(user) : 0;
  }

  /** Learns the device's identity and clock again with the next question: it may be another now. */
  void forgetEngine() {
    OctetString engine = messages.removeEngineID(address);
    if (engine != null) {
      usm.removeEngineTime(engine);
    }
  }

  @Override
  public void close() {
    try {
      snmp.close();
    } catch (IOException e) {
      // The socket is gone either way.
    }
  }

  /** The time passed without an answer. */
  static final class NoAnswer extends Exception {
    private static final long serialVersionUID = 1L;
  }
}
