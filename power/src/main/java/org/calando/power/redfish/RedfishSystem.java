package org.calando.power.redfish;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.power.MeterException;
import org.calando.power.Ticker;
import org.calando.power.redfish.RedfishClient.Resource;
import org.calando.power.redfish.RedfishSource.Login;

/**
 * A machine as a Redfish service's ComputerSystem (DMTF DSP2046): its power state, and the action
 * that changes it. Each call is a session of its own. Immutable and thread safe.
 *
 * @param service where the service is, and who asks; its chassis is not used. With a path other
 *     than the service's root, that of the system itself.
 * @param id Id or Name of the system, where the service has several; empty to take the only one
 */
public record RedfishSystem(RedfishSource service, Optional<String> id) {
  private static final int MAX_SYSTEMS = 100;
  private static final String ACTION = "#ComputerSystem.Reset";

  /** Whether a machine is switched on. */
  public enum PowerState {
    /** Switched on. */
    ON,
    /** Switched off; only the controller runs. */
    OFF,
    /** On its way, or paused. */
    BETWEEN
  }

  /** Values of the action's ResetType that are used here. */
  public enum Reset {
    /** Power on. */
    ON("On"),
    /** The system is asked to shut down, which it may ignore. */
    GRACEFUL_SHUTDOWN("GracefulShutdown"),
    /** Power off, at once. */
    FORCE_OFF("ForceOff");

    private final String type;

    Reset(String type) {
      this.type = type;
    }
  }

  /** Refuses a name beside a path. */
  public RedfishSystem {
    if (id.isPresent() && !isWholeService(service.uri())) {
      throw new IllegalArgumentException("the path names the system already");
    }
  }

  /**
   * The system of a service.
   *
   * @param uri the service, or with a path its system
   * @param login the user, if the service asks for one
   * @param ca file of the authorities to trust, in PEM; the system's if empty
   * @param verify whether the service's certificate must be trusted and of its name
   * @param id Id or Name of the system, where the service has several
   */
  public static RedfishSystem of(
      URI uri, Optional<Login> login, Optional<Path> ca, boolean verify, Optional<String> id) {
    return new RedfishSystem(new RedfishSource(uri, login, ca, verify, Optional.empty()), id);
  }

  /** Whether an address is that of a service rather than one of its resources. */
  public static boolean isWholeService(URI uri) {
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    return RedfishClient.root().startsWith(path.endsWith("/") ? path : path + "/");
  }

  /** The place, for messages. */
  public String describe() {
    return service.describe() + id.map(name -> ", system " + name).orElse("");
  }

  /** What is asked in a session. */
  @FunctionalInterface
  private interface Question<T> {
    T ask(RedfishClient client, Resource system) throws MeterException, InterruptedException;
  }

  /**
   * Asks for the state; changes nothing.
   *
   * @param deadlineNanos when to give up, on the ticker
   * @throws MeterException if the service does not tell
   */
  public PowerState powerState(Ticker ticker, long deadlineNanos)
      throws MeterException, InterruptedException {
    return inSession(ticker, deadlineNanos, (client, system) -> state(system));
  }

  /**
   * Orders a change. That it was taken does not mean that it was carried out: see {@link
   * #powerState}.
   *
   * @param deadlineNanos when to give up, on the ticker
   * @throws MeterException if the service does not take it, or has no such order
   */
  public void reset(Reset reset, Ticker ticker, long deadlineNanos)
      throws MeterException, InterruptedException {
    inSession(
        ticker,
        deadlineNanos,
        (client, system) -> {
          RedfishReset action = RedfishReset.of(client, system, ACTION, deadlineNanos);
          action.order(client, reset.type, deadlineNanos);
          return system;
        });
  }

  private <T> T inSession(Ticker ticker, long deadlineNanos, Question<T> question)
      throws MeterException, InterruptedException {
    try (RedfishClient client = new RedfishClient(service, ticker)) {
      client.login(deadlineNanos);
      return question.ask(client, find(client, deadlineNanos));
    }
  }

  private Resource find(RedfishClient client, long deadlineNanos)
      throws MeterException, InterruptedException {
    if (!isWholeService(service.uri())) {
      return client.get(service.uri().getRawPath(), deadlineNanos);
    }
    JsonNode root = client.get(RedfishClient.root(), deadlineNanos).json();
    Optional<String> link = RedfishWalk.link(root, "Systems");
    if (link.isEmpty()) {
      throw problem("the service has no systems", "use another switch");
    }
    List<Resource> all = RedfishWalk.members(client, link.get(), MAX_SYSTEMS, deadlineNanos);
    List<Resource> wanted = new ArrayList<>();
    for (Resource system : all) {
      if (id.isEmpty() || isNamed(system, id.get())) {
        wanted.add(system);
      }
    }
    if (wanted.size() != 1) {
      throw problem(
          wanted.isEmpty() ? "there is no such system" : "the service has several systems",
          "set system to one of: " + names(all));
    }
    return wanted.get(0);
  }

  private static boolean isNamed(Resource system, String name) {
    return name.equalsIgnoreCase(system.json().path("Id").asText())
        || name.equalsIgnoreCase(system.json().path("Name").asText());
  }

  private static String names(List<Resource> systems) {
    return systems.stream()
        .map(system -> RedfishProblems.shorten(system.json().path("Id").asText(system.path())))
        .limit(20)
        .collect(Collectors.joining(", "));
  }

  private static PowerState state(Resource system) throws MeterException {
    String state = system.json().path("PowerState").asText();
    return switch (state.toLowerCase(Locale.ROOT)) {
      case "on" -> PowerState.ON;
      case "off" -> PowerState.OFF;
      case "poweringon", "poweringoff", "paused" -> PowerState.BETWEEN;
      default ->
          throw new MeterException(
              "the service does not report whether the machine is on"
                  + (state.isEmpty() ? "" : ", but '" + RedfishProblems.shorten(state) + "'"),
              system.path(),
              "wait until the controller is up, or use another switch");
    };
  }

  private MeterException problem(String what, String remedy) {
    return new MeterException(what, describe(), remedy);
  }
}
