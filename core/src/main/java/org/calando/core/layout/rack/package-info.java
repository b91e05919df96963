/**
 * Which racks of a cluster that replicates by racks may be off at once, so that every range keeps
 * the copies that its clients need.
 */
@NullMarked
package org.calando.core.layout.rack;

import org.jspecify.annotations.NullMarked;
