/** JMX of processes on an agent's machine. */
@NullMarked
package org.calando.power.jmx;

import org.jspecify.annotations.NullMarked;
