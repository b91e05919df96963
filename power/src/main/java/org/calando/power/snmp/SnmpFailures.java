package org.calando.power.snmp;

import java.util.Locale;
import org.calando.power.MeterException;
import org.jspecify.annotations.Nullable;
import org.snmp4j.PDU;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.smi.OID;

/** What went wrong between us and a device, in the user's words; never with a secret. */
final class SnmpFailures {
  private static final double NANOS_PER_SECOND = 1e9;

  private SnmpFailures() {}

  static MeterException noAnswer(SnmpDevice device, long waitedNanos) {
    String within = String.format(Locale.ROOT, "%.2f s", waitedNanos / NANOS_PER_SECOND);
    String remedy =
        device.access() instanceof SnmpAccess.User user
            ? "check address and port, that the PDU allows SNMP v3 from here"
                + (user.privacy().isPresent() ? ", and the privacy password" : "")
            : "check address and port, that the PDU allows SNMP v2c from here, and the community: a"
                + " wrong one gets no answer";
    return new MeterException(
        "no answer by " + device.access().label() + " within " + within, device.where(), remedy);
  }

  /** A report of the agent's security (RFC 3414, section 3.2). */
  static MeterException report(SnmpDevice device, PDU report) {
    OID reason = report.size() > 0 ? report.get(0).getOid() : new OID();
    String user = device.access() instanceof SnmpAccess.User known ? known.name() : "";
    if (SnmpConstants.usmStatsUnknownUserNames.equals(reason)) {
      return failure(
          device,
          "the PDU does not know the user '" + user + "'",
          "correct user, or create it on the PDU");
    }
    if (SnmpConstants.usmStatsWrongDigests.equals(reason)) {
      return failure(
          device,
          "the PDU refused the authentication of the user '" + user + "'",
          "check the auth password and the auth algorithm");
    }
    if (SnmpConstants.usmStatsDecryptionErrors.equals(reason)) {
      return failure(
          device,
          "the PDU could not decrypt the message of the user '" + user + "'",
          "check the privacy password and the privacy algorithm");
    }
    if (SnmpConstants.usmStatsUnsupportedSecLevels.equals(reason)) {
      return failure(
          device,
          "the PDU does not allow the user '" + user + "' this level of security",
          "give auth and privacy as the user has them on the PDU");
    }
    if (SnmpConstants.usmStatsNotInTimeWindows.equals(reason)) {
      return failure(device, "the PDU's SNMP clock has moved; it may have restarted", "");
    }
    return failure(device, "the PDU refused the message with report " + reason, "check its log");
  }

  static MeterException refused(SnmpDevice device, String status) {
    return failure(device, "the PDU answered with the error '" + status + "'", "check its log");
  }

  static MeterException broken(SnmpDevice device, @Nullable Throwable cause) {
    String what = "the request failed: " + (cause == null ? "no reason" : reason(cause));
    return cause == null
        ? failure(device, what, "")
        : new MeterException(what, device.where(), "check address and access", cause);
  }

  private static String reason(Throwable cause) {
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }

  static MeterException ended(SnmpDevice device) {
    return failure(device, "the reading was ended", "");
  }

  private static MeterException failure(SnmpDevice device, String what, String remedy) {
    return new MeterException(what, device.where(), remedy);
  }
}
