package org.calando.cli.layout;

import java.util.OptionalLong;
import org.calando.core.layout.gear.GearLayout;

/**
 * What {@code layout rabbit} or {@code layout paraid} is asked for. Immutable.
 *
 * @param layout of the store
 * @param blocks how many are stored, 1 or more
 * @param bytesPerBlock if figures in bytes are wanted
 */
record GearLayoutRequest(GearLayout layout, int blocks, OptionalLong bytesPerBlock) {}
