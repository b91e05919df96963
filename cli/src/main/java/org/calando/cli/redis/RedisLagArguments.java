package org.calando.cli.redis;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.cli.TextArguments;
import org.calando.cli.TextOptions;
import org.calando.core.BadRequestException;
import org.calando.core.energy.PStates;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.schema.ScalarType;
import org.calando.schema.Types;
import org.calando.store.redis.RedisNode;

/** Reads what {@code redis lag} is asked for; all that is wrong at once. */
final class RedisLagArguments extends TextArguments {
  static final String NODES = "HOST:PORT";

  private static final TextOptions OPTIONS = new TextOptions();

  static final String FOR = OPTIONS.add("--for=TIME", "How long to observe; 10s by default.");
  static final String POLL =
      OPTIONS.add(
          "--poll=TIME", "Between two questions for the replicas' offsets; 20ms by default.");
  static final String USER =
      OPTIONS.add("--user=NAME", "The ACL user; without it the default user.");
  static final String PASSWORD_FILE =
      OPTIONS.add("--password-file=FILE", "A file whose first line is the password.");
  static final String TLS_CA =
      OPTIONS.add(
          "--tls-ca=FILE",
          "Encrypts the connections, and trusts the certificates that those of this PEM file"
              + " signed.");
  static final String STATES =
      OPTIONS.add(
          "--p-states=STATES",
          "Clocks to judge: xeon-silver-4114 (Concerto's), machine, or 2.2GHz@1.10V,1.0GHz@0.86V;"
              + " by default this machine's, or Concerto's where it exposes none.");
  static final String AT =
      OPTIONS.add("--at=CLOCK", "The clock at which the nodes run now; by default the fastest.");
  static final String LIMIT =
      OPTIONS.add(
          "--busy-limit=SHARE", "How busy a replica may be to keep up with ease; 60%% by default.");

  private static final String PAPER = "xeon-silver-4114";
  private static final String MACHINE = "machine";
  private static final long SECOND = 1_000_000_000L;
  private static final long USUAL_LOOK = 10 * SECOND;
  private static final long USUAL_POLL = SECOND / 50;
  private static final double USUAL_LIMIT = 0.6;
  private static final ScalarType<Long> LOOK_TYPE = Types.duration(SECOND, 3_600 * SECOND);
  private static final ScalarType<Long> POLL_TYPE = Types.duration(SECOND / 1_000, 10 * SECOND);
  private static final Pattern ADDRESS = Pattern.compile("(.+):(\\d{1,5})");
  private static final Pattern CLOCK = Pattern.compile("([0-9.]+) ?ghz", Pattern.CASE_INSENSITIVE);

  private record States(PStates states, String from) {}

  RedisLagArguments() {
    super(OPTIONS);
  }

  /**
   * What is asked for.
   *
   * @param addresses of nodes, as given
   * @throws BadRequestException naming everything that is wrong
   */
  RedisLagRequest request(List<String> addresses) {
    List<RedisNode> nodes = nodes(addresses);
    States states = states();
    double fastest = states.states().fastestGhz();
    RedisLagRequest request =
        new RedisLagRequest(
            nodes,
            credentials(),
            tls(),
            arguments.optional(FOR, LOOK_TYPE).orElse(USUAL_LOOK),
            arguments.optional(POLL, POLL_TYPE).orElse(USUAL_POLL),
            states.states(),
            states.from(),
            arguments.has(AT) ? clock(arguments.text(AT), states.states()) : fastest,
            limit());
    arguments.throwIfAny();
    return request;
  }

  private List<RedisNode> nodes(List<String> addresses) {
    List<RedisNode> nodes = new ArrayList<>();
    for (String address : addresses) {
      Matcher parts = ADDRESS.matcher(address);
      int port = parts.matches() ? Integer.parseInt(parts.group(2)) : 0;
      if (port < 1 || port > 65_535) {
        arguments.wrong(NODES, "'" + address + "' is no address", "write it as 127.0.0.1:6379");
      } else {
        nodes.add(new RedisNode(address, parts.group(1), port));
      }
    }
    return nodes;
  }

  private Optional<Credentials> credentials() {
    if (!arguments.has(PASSWORD_FILE)) {
      if (arguments.has(USER)) {
        arguments.wrong(USER, "is given without " + PASSWORD_FILE, "give both");
      }
      return Optional.empty();
    }
    String user = arguments.has(USER) ? arguments.text(USER) : "";
    try {
      return Optional.of(
          Credentials.withPasswordFile(user, Path.of(arguments.text(PASSWORD_FILE))));
    } catch (BadRequestException e) {
      arguments.wrong(
          PASSWORD_FILE,
          "is no readable file with a password: " + arguments.text(PASSWORD_FILE),
          "name a file whose first line is the password");
      return Optional.empty();
    }
  }

  private Optional<TlsSettings> tls() {
    if (!arguments.has(TLS_CA)) {
      return Optional.empty();
    }
    Path ca = Path.of(arguments.text(TLS_CA));
    if (!Files.isReadable(ca)) {
      arguments.wrong(TLS_CA, "is no readable file: " + ca, "name a file of PEM certificates");
    }
    return Optional.of(TlsSettings.trusting(ca));
  }

  private double limit() {
    double limit = arguments.optional(LIMIT, Types.share()).orElse(USUAL_LIMIT);
    if (limit <= 0 || limit >= 1) {
      arguments.wrong(LIMIT, "is " + limit, "give a share between 0 and 1, such as 60%");
    }
    return limit;
  }

  private States states() {
    String text = arguments.has(STATES) ? arguments.text(STATES) : "";
    States paper = new States(PStates.xeonSilver4114(), "Xeon Silver 4114, as published");
    if (text.equals(PAPER)) {
      return paper;
    }
    if (text.isEmpty() || text.equals(MACHINE)) {
      Optional<PStates> own = MachineClocks.read();
      if (own.isEmpty() && text.equals(MACHINE)) {
        arguments.wrong(
            STATES, "is " + MACHINE + ", and this machine exposes no clocks", "name " + PAPER);
      }
      return own.map(these -> new States(these, "this machine's, voltages assumed")).orElse(paper);
    }
    try {
      return new States(PStates.parse(Arrays.asList(text.split(",", -1)), STATES), "as given");
    } catch (BadRequestException e) {
      arguments.wrong(
          STATES,
          "'"
              + text
              + "' is no list of P-states, each slower than another and at no higher voltage",
          "name " + PAPER + ", " + MACHINE + " or states such as 2.2GHz@1.10V,1.0GHz@0.86V");
      return paper;
    }
  }

  private double clock(String text, PStates states) {
    Matcher clock = CLOCK.matcher(text.strip());
    for (PStates.State state : states.states()) {
      if (clock.matches() && clock.group(1).equals(String.valueOf(state.ghz()))) {
        return state.ghz();
      }
    }
    arguments.wrong(AT, "'" + text + "' is none of the P-states", "one of " + states.describe());
    return states.fastestGhz();
  }
}
