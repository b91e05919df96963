package org.calando.power.ipmi;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.calando.power.MeterException;
import org.calando.power.Secret;

/**
 * Where a management controller listens and as whom it is asked. Immutable and thread safe; the
 * password is named, never held.
 *
 * @param host its name or address; empty for this machine's own interface, which needs root and
 *     neither user nor password
 * @param port UDP port, 1 to 65535
 * @param user its user; IPMI takes at most 16 bytes
 * @param password the user's password; given whenever the host is
 * @param cipherSuite number of the RMCP+ cipher suite, 1 to 17; without it ipmitool asks the
 *     controller for its best. Suite 0 authenticates nobody and is not accepted.
 * @param privilege what the session may do; the user must have it
 */
public record IpmiAddress(
    Optional<String> host,
    int port,
    String user,
    Optional<Secret> password,
    OptionalInt cipherSuite,
    Privilege privilege) {

  /** The port of IPMI over LAN. */
  public static final int USUAL_PORT = 623;

  /** A name or address as ipmitool takes it. */
  public static final Pattern HOST = Pattern.compile("[A-Za-z0-9_.:%-]{1,253}");

  /** A user's name: IPMI takes at most 16 bytes. */
  public static final Pattern USER = Pattern.compile("[\\x21-\\x7e]{1,16}");

  private static final int MAX_PASSWORD_BYTES = 20;

  /** What a session may do. */
  public enum Privilege {
    /** Reads sensors and state; enough for every reading of most controllers. */
    USER,
    /** Also switches power; some controllers want it for DCMI. */
    OPERATOR,
    /** Everything. */
    ADMINISTRATOR
  }

  /** Refuses what ipmitool could not be given. */
  public IpmiAddress {
    boolean remote = host.isPresent();
    if (remote && (!HOST.matcher(host.get()).matches() || host.get().startsWith("-"))) {
      throw new IllegalArgumentException("not a host: " + host.get());
    }
    if (remote && (!USER.matcher(user).matches() || password.isEmpty())) {
      throw new IllegalArgumentException("a host needs a user of at most 16 bytes and a password");
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("not a port: " + port);
    }
    if (cipherSuite.isPresent() && (cipherSuite.getAsInt() < 1 || cipherSuite.getAsInt() > 17)) {
      throw new IllegalArgumentException("not a cipher suite: " + cipherSuite.getAsInt());
    }
  }

  /** This machine's own controller, through the kernel's driver. */
  public static IpmiAddress local() {
    return new IpmiAddress(
        Optional.empty(),
        USUAL_PORT,
        "",
        Optional.empty(),
        OptionalInt.empty(),
        Privilege.ADMINISTRATOR);
  }

  /** A controller on the network at the usual port, asked with the least privilege. */
  public static IpmiAddress remote(String host, String user, Secret password) {
    return new IpmiAddress(
        Optional.of(host),
        USUAL_PORT,
        user,
        Optional.of(password),
        OptionalInt.empty(),
        Privilege.USER);
  }

  /** The place, for messages. */
  public String describe() {
    return host.map(name -> name + (port == USUAL_PORT ? "" : " port " + port))
        .orElse("this machine's own interface");
  }

  /** Options of ipmitool; the password is not among them. */
  List<String> options() {
    List<String> options = new ArrayList<>();
    if (host.isEmpty()) {
      options.addAll(List.of("-I", "open"));
      return options;
    }
    options.addAll(List.of("-I", "lanplus", "-H", host.get(), "-p", Integer.toString(port)));
    options.addAll(List.of("-U", user, "-E", "-L", privilege.name().toUpperCase(Locale.ROOT)));
    cipherSuite.ifPresent(suite -> options.addAll(List.of("-C", Integer.toString(suite))));
    // A second for each answer, and one repeat: a lost datagram costs one sample at most.
    options.addAll(List.of("-N", "1", "-R", "2"));
    return options;
  }

  /**
   * The password, for ipmitool's environment.
   *
   * @throws MeterException if it is not there, or longer than IPMI 2.0 takes
   */
  Optional<String> readPassword() throws MeterException {
    if (password.isEmpty()) {
      return Optional.empty();
    }
    String text = password.get().read();
    if (text.getBytes(StandardCharsets.UTF_8).length > MAX_PASSWORD_BYTES) {
      throw new MeterException(
          "the password has more than " + MAX_PASSWORD_BYTES + " bytes, the most that IPMI takes",
          "ipmi " + describe(),
          "give the controller's user a password of at most " + MAX_PASSWORD_BYTES + " bytes");
    }
    return Optional.of(text);
  }
}
