package org.calando.control;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;

/**
 * Which parts of a cluster are off: durable, and set by the shift that a file has, without which
 * nobody knows what a plan was about. Not thread safe.
 */
public final class OffKnob implements Knob<OffSetting> {
  private final KnobId<OffSetting> id;
  private final String target;
  private final Path file;
  private final Supplier<OffSetting> current;
  private final BiFunction<OffSetting, OffSetting, Optional<List<Plan.Action>>> steps;

  /**
   * A knob.
   *
   * @param name its name
   * @param target see {@link #target}
   * @param file that has the shift
   * @param current reads the file
   * @param steps of the shift that the file has; empty if that is not from the first to the second
   */
  public OffKnob(
      String name,
      String target,
      Path file,
      Supplier<OffSetting> current,
      BiFunction<OffSetting, OffSetting, Optional<List<Plan.Action>>> steps) {
    this.id = new KnobId<>(name, OffSetting.class);
    this.target = target;
    this.file = file;
    this.current = current;
    this.steps = steps;
  }

  @Override
  public KnobId<OffSetting> id() {
    return id;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.DURABLE;
  }

  @Override
  public OffSetting current() {
    return current.get();
  }

  /**
   * {@inheritDoc}
   *
   * @throws FailedWorkException if the file has another shift
   */
  @Override
  public Plan plan(OffSetting from, OffSetting to) {
    return plan(
        to,
        steps
            .apply(from, to)
            .orElseThrow(
                () ->
                    new FailedWorkException(
                        "has another shift than from " + from.words() + " to " + to.words(),
                        file.toString(),
                        "restore it, or forget the plan by --abandon")));
  }

  /** The plan of a shift that the file does not have yet. */
  public Plan plan(OffSetting to, List<Plan.Action> actions) {
    return new Plan(id.name(), target, to.text(), actions);
  }
}
