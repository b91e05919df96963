package org.calando.control;

import java.util.function.UnaryOperator;
import org.calando.core.BadRequestException;

/**
 * How people are told of plans of a durable knob. Immutable; thread safe if {@code value} is.
 *
 * @param place what the plans are of, with its path
 * @param value makes words of a setting as the journal has it
 * @param begin how a plan is begun
 * @param resume how one that is open is resumed
 */
public record PlanWords(String place, UnaryOperator<String> value, String begin, String resume) {
  BadRequestException unfinished(JournalEntry last) {
    return new BadRequestException(
        "there is an unfinished plan from "
            + value.apply(last.before())
            + " to "
            + value.apply(last.value())
            + " of "
            + last.at(),
        place,
        resume);
  }

  BadRequestException none() {
    return new BadRequestException("there is no unfinished plan", place, begin);
  }

  BadRequestException ofAnother(JournalEntry last, String target) {
    return new BadRequestException(
        "the unfinished plan is of " + last.target() + ", and this is " + target,
        place,
        "name the cluster as before, or give the plan up by --abandon there");
  }
}
