/**
 * The power manager of stores with one master: watches roles, decides clocks, sets them, and keeps
 * account of what that saves (Concerto).
 */
@NullMarked
package org.calando.concerto;

import org.jspecify.annotations.NullMarked;
