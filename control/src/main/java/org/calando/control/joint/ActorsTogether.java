package org.calando.control.joint;

import java.util.List;
import java.util.OptionalLong;
import org.calando.control.Actor;
import org.calando.control.ControlLoop;
import org.calando.control.HeldLevel;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Observed;

/**
 * Sets a level, which is held while nothing is decided, and what else was decided at once. As
 * thread safe as these.
 *
 * @param others the first tells what is in force
 */
public record ActorsTogether(HeldLevel level, List<Actor> others) implements Actor {
  @Override
  public void begin(ControlLoop<?> loop, long nowNanos) {
    level.begin(loop, nowNanos);
    others.forEach(each -> each.begin(loop, nowNanos));
  }

  @Override
  public void act(Decision<?> decision, long nowNanos) {
    level.act(decision, nowNanos);
    others.forEach(each -> each.act(decision, nowNanos));
  }

  @Override
  public String inForce(Decision<?> decision) {
    return others.isEmpty() ? "" : others.get(0).inForce(decision);
  }

  @Override
  public boolean isBusy() {
    return level.isBusy() || others.stream().anyMatch(Actor::isBusy);
  }

  @Override
  public boolean accepts(Observed observed, long nowNanos) {
    return level.accepts(observed, nowNanos)
        && others.stream().allMatch(each -> each.accepts(observed, nowNanos));
  }

  @Override
  public void waits(String why) {
    level.waits(why);
  }

  @Override
  public void missed(String why) {
    level.missed(why);
  }

  /** The run fails with it, and goes on to its end at the fallback. */
  @Override
  public void failed(String why, Throwable cause, long nowNanos) {
    level.failed(why, cause, nowNanos);
    others.forEach(each -> each.lost(why, nowNanos));
    Actor.super.failed(why, cause, nowNanos);
  }

  @Override
  public void check(long nowNanos, String whyNothing) {
    level.check(nowNanos, whyNothing);
    if (!level.state().decided()) {
      others.forEach(each -> each.lost(whyNothing, nowNanos));
    }
  }

  @Override
  public OptionalLong validUntilNanos() {
    return level.validUntilNanos();
  }

  @Override
  public void lost(String why, long nowNanos) {
    level.lost(why, nowNanos);
    others.forEach(each -> each.lost(why, nowNanos));
  }

  @Override
  public void close(long nowNanos) {
    others.forEach(each -> each.close(nowNanos));
    level.close(nowNanos);
  }
}
