package org.calando.power.ipmi;

import java.util.List;
import java.util.Locale;
import org.calando.power.MeterException;

/** Turns ipmitool's messages into what failed and what to do. */
final class IpmiProblems {
  private static final int MAX_QUOTED = 200;

  /** A part of a message in lower case, what it means, and the remedy. */
  private record Known(String part, String what, String remedy) {}

  /** In the order of preference: the first that occurs explains those that follow from it. */
  private static final List<Known> KNOWN =
      List.of(
          new Known(
              "failed to run command 'ipmitool'",
              "ipmitool is not installed",
              "install the package ipmitool"),
          new Known(
              "hmac is invalid",
              "the controller refuses the password",
              "correct the password that password-file or password-env names"),
          new Known(
              "unauthorized name",
              "the controller does not know the user",
              "correct user, or create it on the controller and enable it for LAN"),
          new Known(
              "unauthorized role",
              "the controller does not grant the user this privilege",
              "give the user the privilege on the LAN channel, or choose another privilege"),
          new Known(
              "insufficient privilege",
              "the controller does not grant the user this privilege",
              "give the user the privilege on the LAN channel, or choose another privilege"),
          new Known(
              "insufficient resources",
              "the controller has no session left",
              "close other sessions, or wait a minute until it drops idle ones"),
          new Known(
              "invalid authentication algorithm",
              "the controller does not offer the cipher suite",
              "set cipher-suite to one it offers, usually 3 or 17"),
          new Known(
              "no matching cipher suite",
              "the controller does not offer the cipher suite",
              "set cipher-suite to one it offers, usually 3 or 17"),
          new Known(
              "does not support ipmi v2",
              "the controller does not speak IPMI 2.0 over LAN",
              "enable IPMI 2.0 (RMCP+) on it, or use its redfish interface"),
          new Known("address lookup for", "the host's name is not known", "correct host"),
          new Known(
              "could not open device",
              "this machine has no IPMI device that this user may open",
              "load the kernel's modules ipmi_si and ipmi_devintf and run as root, or give host"),
          new Known(
              "get auth capabilities error",
              "the controller does not answer",
              "check host and port (UDP 623), and that IPMI over LAN is enabled"),
          new Known(
              "authentication capabilities request",
              "the controller does not answer",
              "check host and port (UDP 623), and that IPMI over LAN is enabled"));

  private IpmiProblems() {}

  /** Why a session ended without an answer. */
  static MeterException explain(IpmiAddress address, List<String> output) {
    String all = String.join("\n", output).toLowerCase(Locale.ROOT);
    // Coreutils quotes names with typographic marks in some locales.
    String plain = all.replace('‘', '\'').replace('’', '\'');
    for (Known known : KNOWN) {
      if (plain.contains(known.part())) {
        return problem(address, known.what(), known.remedy());
      }
    }
    String last = output.isEmpty() ? "" : ": " + lastMessage(output);
    return problem(
        address,
        "ipmitool lost the session" + last,
        "check that the controller is up and that nobody ends its sessions");
  }

  /** A command that changes something and was not confirmed. */
  static MeterException refused(IpmiAddress address, String command, List<String> output) {
    String said = lastMessage(output);
    String remedy =
        said.toLowerCase(Locale.ROOT).contains("insufficient privilege")
            ? "give the user the privilege operator on the LAN channel, and set privilege: operator"
            : "look at the controller's log, and whether it lets others switch the machine";
    String what = "the controller does not take '" + command + "'";
    return problem(address, what + (said.isEmpty() ? "" : ": " + said), remedy);
  }

  private static String lastMessage(List<String> output) {
    String last = "";
    for (String line : output) {
      last = line.isEmpty() ? last : line;
    }
    return last.length() > MAX_QUOTED ? last.substring(0, MAX_QUOTED) + "..." : last;
  }

  /** No answer in the time of one reading, while the session may still be good. */
  static MeterException noAnswerYet(IpmiAddress address, boolean open) {
    String what = open ? "the controller did not answer in time" : "the session is being opened";
    return problem(address, what, "check host and port, and whether the controller is overloaded");
  }

  static MeterException problem(IpmiAddress address, String what, String remedy) {
    return new MeterException(what, "ipmi " + address.describe(), remedy);
  }
}
