package org.calando.cli;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Options that a command takes as texts, in the order of its help. Filled by the class that
 * declares them, then read only.
 */
public final class TextOptions {
  /** What every command has, behind all others. */
  private static final Set<String> LAST = Set.of("--json", "--help", "--version");

  private static final String REPEATED = " ...";

  private final List<Declared> declared = new ArrayList<>();

  private record Declared(String name, String label, boolean repeated, String description) {
    OptionSpec spec() {
      OptionSpec.Builder option = OptionSpec.builder(name).description(description);
      if (label.isEmpty()) {
        return option.type(boolean.class).arity("0").build();
      }
      option.paramLabel(label).arity("1");
      return repeated
          ? option.type(List.class).auxiliaryTypes(String.class).build()
          : option.type(String.class).build();
    }
  }

  /**
   * Declares an option.
   *
   * @param form such as {@code --canary}, {@code --keys=KEYS} or, of one that may be repeated,
   *     {@code --set=PATH=VALUE ...}
   * @return its name
   */
  @CanIgnoreReturnValue
  public String add(String form, String description) {
    boolean repeated = form.endsWith(REPEATED);
    String[] parts = form.replace(REPEATED, "").split("=", 2);
    String label = parts.length == 1 ? "" : parts[1];
    declared.add(new Declared(parts[0], label, repeated, description));
    return parts[0];
  }

  /** Declares those of others, in their order. */
  @CanIgnoreReturnValue
  public TextOptions addAll(TextOptions others) {
    declared.addAll(others.declared);
    return this;
  }

  /** Puts them to a command, before what every command has. */
  void addTo(CommandSpec command) {
    List<OptionSpec> last =
        command.options().stream().filter(each -> LAST.contains(each.longestName())).toList();
    last.forEach(command::remove);
    declared.forEach(each -> command.addOption(each.spec()));
    last.forEach(command::addOption);
  }
}
