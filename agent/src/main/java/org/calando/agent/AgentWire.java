package org.calando.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.calando.clock.PolicyOutcome;
import org.calando.power.onoff.AgentSwitch;
import org.jspecify.annotations.Nullable;

/** What governors and agents send each other, as JSON. Stateless and thread safe. */
public final class AgentWire {
  /** So long an agent keeps what it was set without a word from the governor. */
  public static final long TTL_MILLIS = 10_000;

  /** Where an agent tells what knobs of its processes are set to. */
  public static final String KNOBS = "/v1/knobs/";

  /** What names a lease: a cluster. */
  public static final String NAME = "[A-Za-z0-9._-]{1,63}";

  /** What holders and orderers are known by. */
  public static final String ID = "[!-~]{1,200}";

  /** Words for people, which agents log and note on one line. */
  private static final Pattern WORDS = Pattern.compile("[^\\p{Cc}\\p{Cs}]{1,1000}");

  /** A version that knows more may say more. */
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
          .configure(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, true)
          .configure(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS, true);

  private AgentWire() {}

  /**
   * All that a governor wants of a machine, which begins, renews and changes a lease alike.
   *
   * @param holder the governor, for others who are refused
   * @param id of the governor's lease: a name of the governor's own, which nobody else has while it
   *     runs, a slash, and a name of this lease
   * @param fence a number that is higher than that of any lease before, of the same name
   * @param number of the request, higher than that of the one before of the same id
   * @param nodes the nodes on this machine, by name, whose processors are wanted
   * @param knobs by processes that the agent's file names, and by their knobs: what each is to be
   *     set to, as journals write it; what is not here is as before
   */
  public record LeaseRequest(
      String holder,
      String id,
      long fence,
      long number,
      Map<String, NodeWish> nodes,
      Map<String, Map<String, String>> knobs) {
    /** Copies the maps, which hold no null. */
    public LeaseRequest {
      nodes = nodes == null ? Map.of() : Map.copyOf(nodes);
      knobs = knobs == null ? Map.of() : knobs;
      knobs.forEach(LeaseRequest::requireValues);
      knobs =
          knobs.entrySet().stream()
              .collect(
                  Collectors.toUnmodifiableMap(Map.Entry::getKey, of -> Map.copyOf(of.getValue())));
    }

    private static void requireValues(String process, @Nullable Map<String, String> values) {
      if (values == null) {
        throw new IllegalArgumentException("knobs of " + process + " are null");
      }
      values.forEach(
          (knob, value) -> {
            if (value == null) {
              throw new IllegalArgumentException("knob " + knob + " of " + process + " is null");
            }
          });
    }

    /** Whether it says who asks, in words that fit on a line. */
    public boolean namesItsHolder() {
      return holder != null && WORDS.matcher(holder).matches() && id != null && id.matches(ID);
    }

    /** Whether nothing on this machine is named. */
    public boolean namesNothing() {
      return nodes.isEmpty() && knobs.isEmpty();
    }
  }

  /**
   * What a governor wants of a node.
   *
   * @param cpus its processors, as the kernel writes them
   * @param kiloHertz the least clock that it is to have; 0 for the highest
   * @param pid its process; 0 if that is not known
   * @param threads where its threads run, the first name that fits; empty to leave them
   */
  public record NodeWish(String cpus, long kiloHertz, long pid, List<Rule> threads) {
    /** Copies the list. */
    public NodeWish {
      threads = threads == null ? List.of() : List.copyOf(threads);
    }
  }

  /** Where threads of a name run. */
  public record Rule(String name, String cpus) {}

  /**
   * How a lease stands.
   *
   * @param nodes the nodes of the request
   * @param movesThreads whether threads can be moved, of the machine's own processors
   * @param conflicts nodes that share a clock, together
   * @param drifts what was found otherwise than it was set, since the last answer
   * @param troubles what could not be done, in words
   */
  public record LeaseAnswer(
      Map<String, NodeState> nodes,
      boolean movesThreads,
      List<List<String>> conflicts,
      List<Drift> drifts,
      List<String> troubles) {
    /** Copies what it holds. */
    public LeaseAnswer {
      nodes = nodes == null ? Map.of() : Map.copyOf(nodes);
      conflicts = conflicts == null ? List.of() : List.copyOf(conflicts);
      drifts = drifts == null ? List.of() : List.copyOf(drifts);
      troubles = troubles == null ? List.of() : List.copyOf(troubles);
    }
  }

  /**
   * How a node stands.
   *
   * @param clocks that it can be set to, in kHz
   * @param kiloHertz the lowest clock in force on its processors, 0 if it is not known
   * @param policies what was done to each policy
   * @param heldBy nodes on the same clock that need a higher one
   * @param pid the process of the figures below
   * @param cpuNanos CPU time of that process; -1 if it is not known
   * @param ioNanos that of its I/O threads; -1 if it is not known
   */
  public record NodeState(
      List<Long> clocks,
      long kiloHertz,
      List<PolicyOutcome> policies,
      List<String> heldBy,
      long pid,
      long cpuNanos,
      long ioNanos) {
    /** Copies the lists. */
    public NodeState {
      clocks = clocks == null ? List.of() : List.copyOf(clocks);
      policies = policies == null ? List.of() : List.copyOf(policies);
      heldBy = heldBy == null ? List.of() : List.copyOf(heldBy);
    }
  }

  /** Something that was found otherwise than it was set; see {@link org.calando.clock.Drift}. */
  public record Drift(
      String what, String from, String to, String then, @Nullable PolicyOutcome outcome) {}

  /**
   * Who has a lease.
   *
   * @param held whether somebody has it now
   * @param fence the highest number that there was; 0 if there was none
   * @param id of that lease
   * @param holder who had it, in words
   * @param silentMillis since the holder's last word; 0 if nobody has it
   */
  public record LeaseState(boolean held, long fence, String id, String holder, long silentMillis) {
    /** Names nobody where nobody is named. */
    public LeaseState {
      id = id == null ? "" : id;
      holder = holder == null ? "" : holder;
    }
  }

  /**
   * Why a request is refused.
   *
   * @param what what is wrong
   * @param remedy what may be done
   * @param lease who has the lease
   */
  public record Refusal(String what, String remedy, LeaseState lease) {}

  /**
   * What a machine's processors used.
   *
   * @param since when the agent began to count, in milliseconds since 1970: tells one count from
   *     another
   * @param joules since then, without what fell into gaps
   * @param resets how often a counter began anew since then
   * @param resolution smallest step and how often it is renewed, in words
   */
  public record Energy(long since, double joules, long resets, String resolution) {}

  /**
   * What a machine draws.
   *
   * @param watts now, 0 or more
   * @param resolution smallest step and how often it is renewed, in words
   * @param renewalNanos the longest that it takes to be renewed
   */
  public record Power(double watts, String resolution, long renewalNanos) {}

  /**
   * How a switch stands.
   *
   * @param state a {@link org.calando.power.onoff.PowerSwitch.State}
   * @param canForce whether there is a way to turn it off that does not ask it
   * @param fence the highest number that was shown with an order; 0 if there was none
   */
  public record SwitchState(String state, boolean canForce, long fence) {}

  /**
   * How a knob stands.
   *
   * @param value what it is set to, as journals write it
   * @param before what it goes back to when the lease ends that has it, or has ended and has not
   *     restored it yet; null if there is none
   */
  public record KnobState(String value, @Nullable String before) {
    /** Refuses what tells nothing. */
    public KnobState {
      if (value == null) {
        throw new IllegalArgumentException("the knob has no value");
      }
    }
  }

  /**
   * An order to a switch.
   *
   * @param order null to show a number alone, after which orders with older ones are refused
   * @param id of who orders, and has the number alone
   * @param fence that number; 0 if it has none
   */
  public record SwitchOrder(AgentSwitch.@Nullable Order order, @Nullable String id, long fence) {}

  /** Gives a lease back. */
  public record Release(String id, long fence) {}

  /** Whether two ids of leases are of one governor, which has started again if they differ. */
  public static boolean isOfOneGovernor(String one, String other) {
    int own = one.indexOf('/') + 1;
    return own > 1 && other.startsWith(one.substring(0, own));
  }

  /** As JSON. */
  public static String text(Object words) {
    try {
      return JSON.writeValueAsString(words);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot be written as JSON", e);
    }
  }

  /**
   * Reads JSON.
   *
   * @throws IllegalArgumentException if it is no such thing
   */
  public static <T> T read(String text, Class<T> type) {
    try {
      T read = JSON.readValue(text, type);
      if (read == null) {
        throw new IllegalArgumentException("is empty");
      }
      return read;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("is not what is expected: " + e.getOriginalMessage(), e);
    }
  }
}
