package org.calando.studyfile.profile;

import java.util.Map;
import java.util.Optional;
import org.calando.schema.Binding;
import org.calando.schema.Bound;
import org.calando.schema.Tree;
import org.calando.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * A profile as a value of other files. Its keys are the business of who writes it, so references
 * and JSON Schemas do not list them. Stateless and thread safe.
 */
public final class ProfileType implements Type<CalibrationProfile> {
  /** The only one. */
  public static final ProfileType TYPE = new ProfileType();

  private ProfileType() {}

  @Override
  public @Nullable Bound<CalibrationProfile> bind(Tree tree, Binding at) {
    Optional<Tree.Scalar> later = laterVersion(tree);
    if (later.isPresent()) {
      // A later version may have other keys: their names would be no help.
      at.key("version")
          .error(
              later.get().where(),
              "the profile's version is %s, this Calando knows %d"
                  .formatted(later.get().text(), CalibrationProfile.VERSION),
              "use a newer Calando, or calibrate again");
      return null;
    }
    return ProfileSchema.TYPE.bind(tree, at);
  }

  private static Optional<Tree.Scalar> laterVersion(Tree tree) {
    return tree instanceof Tree.Mapping mapping
            && mapping.find("version").map(Tree.Entry::value).orElse(tree)
                instanceof Tree.Scalar told
            && told.text().matches("\\d{1,9}")
            && Integer.parseInt(told.text()) > CalibrationProfile.VERSION
        ? Optional.of(told)
        : Optional.empty();
  }

  @Override
  public String label() {
    return "a profile";
  }

  @Override
  public String range() {
    return "what `./calando calibrate` wrote";
  }

  @Override
  public Map<String, Object> jsonSchema() {
    return Map.of("type", "object", "description", "What ./calando calibrate wrote.");
  }
}
