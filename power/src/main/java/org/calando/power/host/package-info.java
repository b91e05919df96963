/** What a whole machine has used: CPU time, memory, disks, networks. */
@NullMarked
package org.calando.power.host;

import org.jspecify.annotations.NullMarked;
