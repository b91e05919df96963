package org.calando.power.redfish;

import java.net.URI;
import org.calando.power.MeterException;

/** What a service's refusals mean. */
final class RedfishProblems {
  private static final int MAX_SHOWN = 200;

  private RedfishProblems() {}

  /** An answer other than a resource. */
  static MeterException refused(URI target, int status, boolean withLogin) {
    String where = target.toString();
    return switch (status) {
      case 404, 410 ->
          new MeterException(
              "there is no such resource (HTTP " + status + ")",
              where,
              "check that this is a Redfish service, and the path in url if it has one");
      case 400, 401 ->
          new MeterException(
              "the service refuses the user or the password (HTTP " + status + ")",
              where,
              withLogin ? "check user and password" : "give user and password");
      case 403 ->
          new MeterException(
              "the user may not read this (HTTP 403)",
              where,
              "give the user the role ReadOnly, or close sessions if it has too many");
      case 429, 500, 502, 503, 504 ->
          new MeterException(
              "the service is busy or still starting (HTTP " + status + ")",
              where,
              "wait until the controller is up, and ask it less often");
      default ->
          new MeterException(
              "the service answers HTTP " + status,
              where,
              "give the address of the service itself, as it is after all redirects");
    };
  }

  /** An action that the service did not take, with the reason that it gave, if it gave one. */
  static MeterException notTaken(URI target, int status, String reason) {
    String what = "the service does not take the order (HTTP " + status + ")";
    return new MeterException(
        what + (reason.isEmpty() ? "" : ": " + shorten(reason)),
        target.toString(),
        status == 401 || status == 403
            ? "give the user the role Operator, or close sessions if it has too many"
            : "see what the service says of its system, and whether it is busy");
  }

  static String shorten(String text) {
    String line = text.replaceAll("\\p{Cntrl}+", " ");
    return line.length() <= MAX_SHOWN ? line : line.substring(0, MAX_SHOWN) + "...";
  }
}
