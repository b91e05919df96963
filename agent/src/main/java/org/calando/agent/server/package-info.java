/** What an agent does for governors on its machine. */
@NullMarked
package org.calando.agent.server;

import org.jspecify.annotations.NullMarked;
