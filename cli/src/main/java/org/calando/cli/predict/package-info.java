/** Commands that predict, and that fit what is predicted from. */
@NullMarked
package org.calando.cli.predict;

import org.jspecify.annotations.NullMarked;
