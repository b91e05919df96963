/** How the session's parts work; nothing here is for applications. */
@NullMarked
package org.calando.session.internal;

import org.jspecify.annotations.NullMarked;
