package org.calando.governor.promise;

import java.util.Optional;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.store.ConsistencyLevel;

/**
 * What the promise of stale reads would be if all reads were at one level. Immutable.
 *
 * @param reads the level
 * @param figure the share that would be stale
 * @param kept whether the promise would be kept; empty if that is not known
 */
public record LevelState(ConsistencyLevel reads, PromiseFigure figure, Optional<Boolean> kept) {}
