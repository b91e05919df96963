package org.calando.cli.govern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.calando.cli.OutputOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code calando govern status}, {@code pause} and so on: asks a governor that runs. */
public final class GovernVerbs {
  private static final String CLUSTERS = "/api/v1/clusters";

  private GovernVerbs() {}

  /** Shows how clusters stand. */
  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "Shows how the clusters of a governor that runs stand, and what is ordered.")
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  public static final class Status implements Callable<Integer> {
    @Mixin private GovernorAccess access;

    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "CLUSTER",
        description = "Its name in the file; all without it.")
    private @Nullable String cluster;

    @Mixin private OutputOptions output;

    @Override
    public Integer call() throws InterruptedException {
      JsonNode answer = access.get(cluster == null ? CLUSTERS : CLUSTERS + "/" + cluster);
      List<String> lines = new ArrayList<>();
      if (cluster == null) {
        answer.path("clusters").forEach(each -> add(each, lines));
      } else {
        add(answer, lines);
      }
      output.print(answer, lines);
      return 0;
    }

    private static void add(JsonNode cluster, List<String> lines) {
      String works = cluster.path("works").asBoolean() ? "works" : "does not work";
      lines.add(
          cluster.path("name").asText() + ": " + cluster.path("mode").asText() + ", " + works);
      JsonNode paused = cluster.path("paused");
      if (paused.isObject()) {
        lines.add(
            "  paused " + ordered(paused) + "; not set: " + paused.path("barred") + " decisions");
      }
      cluster.path("knobs").forEach(knob -> lines.add("  " + words(knob)));
      cluster
          .path("plans")
          .forEach(
              plan ->
                  lines.add(
                      "  plan of "
                          + plan.path("knob").asText()
                          + ": "
                          + plan.path("what").asText()
                          + (plan.path("under_way").asBoolean() ? ", under way" : ", open")
                          + (plan.path("undoing").asBoolean() ? ", is taken back" : "")));
      cluster
          .at("/promises/states")
          .forEach(
              state ->
                  lines.add(
                      "  promise "
                          + state.path("promise").asText()
                          + " "
                          + state.path("limit").asText()
                          + " "
                          + state.path("unit").asText()
                          + ": "
                          + kept(state.path("kept"))));
    }

    private static String kept(JsonNode kept) {
      return kept.isBoolean() ? kept.asBoolean() ? "kept" : "broken" : "unknown";
    }

    private static String words(JsonNode knob) {
      String now = knob.path("in_force").asText("not set");
      JsonNode held = knob.path("held");
      String problem = held.path("problem").isTextual() ? ", " + held.path("problem").asText() : "";
      return knob.path("knob").asText()
          + ": "
          + (knob.path("in_force").isNull() ? "not known" : now)
          + (held.isObject()
              ? ", held " + ordered(held) + problem
              : ", by " + knob.path("choice").asText());
    }

    private static String ordered(JsonNode order) {
      return "by "
          + order.path("who").asText()
          + (order.path("until").isTextual() ? " until " + order.path("until").asText() : "")
          + ": "
          + order.path("reason").asText();
    }
  }

  /** What all that change something have in common. */
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  abstract static class Verb implements Callable<Integer> {
    @Mixin private GovernorAccess access;

    @Parameters(index = "1", paramLabel = "CLUSTER", description = "Its name in the file.")
    private String cluster;

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        required = true,
        description = "Why, for the audit: 1 to 500 characters.")
    private String reason;

    @Option(
        names = "--apply",
        description = "Does it; without this it is only said what would be done.")
    private boolean apply;

    @Mixin private OutputOptions output;

    /** The path below the cluster's. */
    abstract String path();

    /** Adds what is to be said beside the reason. */
    void add(ObjectNode body) {}

    @Override
    public final Integer call() throws InterruptedException {
      ObjectNode body =
          JsonNodeFactory.instance.objectNode().put("reason", reason).put("dry_run", !apply);
      add(body);
      JsonNode answer = access.post(CLUSTERS + "/" + cluster + "/" + path(), body);
      List<String> lines = new ArrayList<>();
      answer.path("steps").forEach(step -> lines.add(step.asText()));
      lines.add("before: " + answer.path("before"));
      lines.add("after:  " + answer.path("after"));
      lines.add(
          apply
              ? "done; request " + answer.path("request").asText()
              : "nothing was changed: repeat it with --apply");
      output.print(answer, lines);
      return 0;
    }
  }

  /** That may have an end. */
  abstract static class Ending extends Verb {
    @Option(
        names = "--until",
        paramLabel = "TIME",
        description =
            "Its end: a time such as 2026-12-24T18:00:00Z, or a duration such as 2h; 168h at most.")
    private @Nullable String until;

    @Override
    void add(ObjectNode body) {
      if (until != null) {
        body.put("until", until);
      }
    }
  }

  /** Pauses a cluster. */
  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description =
          "Has nothing of a cluster set until it is resumed: policies decide on, and what they"
              + " decide is kept.")
  public static final class Pause extends Ending {
    @Override
    String path() {
      return "pause";
    }
  }

  /** Ends a pause, or a hold. */
  @Command(
      name = "resume",
      mixinStandardHelpOptions = true,
      description = "Has a cluster, or with a knob's name one knob, set as is decided again.")
  public static final class Resume extends Verb {
    @Parameters(
        index = "2",
        arity = "0..1",
        paramLabel = "KNOB",
        description = "The knob that is held; the whole cluster without it.")
    private @Nullable String knob;

    @Override
    String path() {
      return knob == null ? "resume" : "knobs/" + knob + "/resume";
    }
  }

  /** Holds a knob. */
  @Command(
      name = "hold",
      mixinStandardHelpOptions = true,
      description = "Holds a knob at a value until a time, whatever is decided.")
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  public static final class Hold extends Ending {
    @Parameters(index = "2", paramLabel = "KNOB", description = "The knob.")
    private String knob;

    @Parameters(index = "3", paramLabel = "VALUE", description = "As files write it.")
    private String value;

    @Override
    String path() {
      return "knobs/" + knob + "/hold";
    }

    @Override
    void add(ObjectNode body) {
      super.add(body);
      body.put("value", value);
    }
  }

  /** Takes a plan back. */
  @Command(
      name = "undo",
      mixinStandardHelpOptions = true,
      description =
          "Takes back a plan of a knob that has begun and not ended; the knob then stays as it is,"
              + " for an hour unless --until says otherwise.")
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  public static final class Undo extends Ending {
    @Parameters(index = "2", paramLabel = "KNOB", description = "The knob.")
    private String knob;

    @Override
    String path() {
      return "plans/" + knob + "/undo";
    }
  }

  /** Changes a promise. */
  @Command(
      name = "promise",
      mixinStandardHelpOptions = true,
      description =
          "Has a promise judged by a limit that is as strict as the file's, or stricter; without a"
              + " limit by the file's again.")
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  public static final class Promise extends Ending {
    @Parameters(index = "2", paramLabel = "PROMISE", description = "Such as stale.")
    private String promise;

    @Parameters(
        index = "3",
        arity = "0..1",
        paramLabel = "LIMIT",
        description = "As files write it, such as 0.5%% or 20ms.")
    private @Nullable String limit;

    @Override
    String path() {
      return "promise";
    }

    @Override
    void add(ObjectNode body) {
      super.add(body);
      body.put("promise", promise).put("limit", limit);
    }
  }
}
