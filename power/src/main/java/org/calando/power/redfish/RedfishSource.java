package org.calando.power.redfish;

import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSource;
import org.calando.power.Secret;
import org.calando.power.Ticker;

/**
 * The power or energy of a machine as its management controller shows it over Redfish (DMTF
 * DSP0266), or of an outlet of a power distribution unit. Immutable and thread safe.
 *
 * @param uri the service, {@code https://10.0.1.1}, whose links are walked; or one resource of it
 *     that shows power, {@code https://pdu1/redfish/v1/PowerEquipment/RackPDUs/1/Outlets/A1}
 * @param login the user, if the service asks for one
 * @param ca file of the authorities to trust, in PEM; the system's if empty
 * @param verify whether the service's certificate must be of a trusted authority and of its name
 * @param chassis Id or Name of the chassis, where the service has several; empty to find it
 */
public record RedfishSource(
    URI uri, Optional<Login> login, Optional<Path> ca, boolean verify, Optional<String> chassis)
    implements PowerSource {
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[::1\\]");
  private static final long OPENING_NANOS = TimeUnit.SECONDS.toNanos(60);

  /**
   * Who asks.
   *
   * @param user the user, best one that may only read
   * @param password where the password is
   */
  public record Login(String user, Secret password) {}

  /** Refuses addresses that cannot be asked, or would show a password. */
  public RedfishSource {
    Optional<String> problem = problem(uri, login.isPresent());
    if (problem.isPresent()) {
      throw new IllegalArgumentException(problem.get());
    }
  }

  /**
   * What is wrong with an address.
   *
   * @param withLogin whether a password would be sent there
   */
  public static Optional<String> problem(URI uri, boolean withLogin) {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!(scheme.equals("http") || scheme.equals("https")) || uri.getHost() == null) {
      return Optional.of("is not an http or https address with a host");
    }
    if (uri.getRawUserInfo() != null) {
      return Optional.of("shows a user or password");
    }
    if (withLogin && scheme.equals("http") && !LOOPBACK.matcher(uri.getHost()).matches()) {
      return Optional.of("would send the password readable by anyone; use https");
    }
    return Optional.empty();
  }

  @Override
  public String kind() {
    return "redfish";
  }

  @Override
  public String describe() {
    return "redfish "
        + uri
        + chassis.map(id -> ", chassis " + id).orElse("")
        + (verify ? "" : " (certificate not verified)");
  }

  /**
   * Walks the service's links to what shows the power, which takes controllers some seconds.
   *
   * @throws MeterException if the service cannot be reached, refuses the user, or shows no power
   */
  @Override
  public PowerProbe open(Ticker ticker) throws MeterException {
    long deadlineNanos = ticker.nanos() + OPENING_NANOS;
    RedfishClient client = new RedfishClient(this, ticker);
    boolean opened = false;
    try {
      client.login(deadlineNanos);
      RedfishPlan plan = new RedfishWalk(this, client, deadlineNanos).find();
      opened = true;
      return new RedfishProbe(this, client, plan);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MeterException("opening was interrupted", describe(), "");
    } finally {
      if (!opened) {
        client.close();
      }
    }
  }
}
