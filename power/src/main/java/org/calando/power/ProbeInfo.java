package org.calando.power;

import org.calando.core.energy.Scope;

/**
 * What a probe's samples are.
 *
 * @param scope what they cover, {@link Scope#HOST} or {@link Scope#PACKAGE}
 * @param resolution smallest step and how often it is renewed, in words
 * @param renewalNanos the longest that the instrument usually takes to renew its figure, 0 if it is
 *     always new
 * @param cumulative true if it counts energy, false if it shows power
 * @param immediate true if a sample takes microseconds and can be taken by whoever asks; false if
 *     it waits for a network or a process
 * @param modelled true if what the instrument tells is itself computed from a model, not measured
 */
public record ProbeInfo(
    Scope scope,
    String resolution,
    long renewalNanos,
    boolean cumulative,
    boolean immediate,
    boolean modelled) {}
