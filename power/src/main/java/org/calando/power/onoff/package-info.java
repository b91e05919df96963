/** Switches that turn a node on and off, and what makes one believed. */
@NullMarked
package org.calando.power.onoff;

import org.jspecify.annotations.NullMarked;
