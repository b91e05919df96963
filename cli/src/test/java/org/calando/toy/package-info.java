/**
 * A toy engine, which is all that it takes to add one: this package and a line of a service file.
 */
@NullMarked
package org.calando.toy;

import org.jspecify.annotations.NullMarked;
