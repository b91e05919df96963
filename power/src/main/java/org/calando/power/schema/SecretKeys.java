package org.calando.power.schema;

import static org.calando.schema.Types.path;
import static org.calando.schema.Types.text;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.calando.power.Secret;
import org.calando.schema.Key;
import org.calando.schema.Values;

/**
 * The two keys that name a password of an instrument: {@code X-file} and {@code X-env}.
 *
 * @param file key of the file
 * @param variable key of the variable
 */
record SecretKeys(Key<Path> file, Key<String> variable) {
  /**
   * The keys of one password.
   *
   * @param name begins the keys: {@code password}
   * @param whose whose password it is, for the reference
   */
  static SecretKeys of(String name, String whose) {
    return new SecretKeys(
        Key.of(name + "-file", path("a path"), "File whose first line is " + whose + ".")
            .example("secrets/" + name),
        Key.of(
                name + "-env",
                text("a variable", "[A-Za-z_][A-Za-z0-9_]{0,100}", "the name of a variable"),
                "Environment variable that holds " + whose + ".")
            .example("CALANDO_" + name.toUpperCase(Locale.ROOT).replace('-', '_')));
  }

  /** Reports both given at once. */
  void check(Values values) {
    values.requireAtMostOne(file, variable);
  }

  /** Where the password is, if the file says so. */
  Optional<Secret> find(Values values) {
    Optional<Secret> inFile = values.find(file).map(Secret.InFile::new);
    return inFile.or(() -> values.find(variable).map(Secret.InVariable::new));
  }
}
