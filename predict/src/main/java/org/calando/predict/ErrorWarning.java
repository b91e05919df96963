package org.calando.predict;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.profile.Quantity;

/** Warns of profiles that are too far off what was measured to predict with. Stateless. */
final class ErrorWarning {
  private static final double MOST = 0.25;

  private ErrorWarning() {}

  /**
   * The warning of a profile.
   *
   * @return a sentence that names each error above 25 %, of the fit and the mean of what was held
   *     out; empty if there is none. Stale rates have errors in points, and are not judged
   */
  static Optional<String> of(CalibrationProfile profile) {
    List<String> errors = new ArrayList<>();
    for (Quantity quantity : Quantity.judged()) {
      if (quantity == Quantity.STALE) {
        continue;
      }
      add(errors, quantity, "of the fit", profile.fitErrors().getOrDefault(quantity, 0.0));
      profile
          .heldOut()
          .flatMap(heldOut -> Optional.ofNullable(heldOut.errors().get(quantity)))
          .ifPresent(error -> add(errors, quantity, "held out", error.mean()));
    }
    return errors.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "WARNING: errors above 25 %: "
                + String.join(", ", errors)
                + ". What this profile predicts may be off by as much: measure more runs, on a"
                + " machine without other work, and calibrate again.");
  }

  private static void add(List<String> errors, Quantity quantity, String of, double error) {
    if (error > MOST) {
      errors.add(String.format(Locale.ROOT, "%s %s %.0f %%", quantity.key(), of, error * 100));
    }
  }
}
