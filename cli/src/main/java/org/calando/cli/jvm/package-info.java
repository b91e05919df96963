/** How the JVM of the command starts. */
@NullMarked
package org.calando.cli.jvm;

import org.jspecify.annotations.NullMarked;
