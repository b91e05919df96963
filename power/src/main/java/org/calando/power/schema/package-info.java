/** What a file may say of meters, of where a node's energy is read, and of switches. */
@NullMarked
package org.calando.power.schema;

import org.jspecify.annotations.NullMarked;
