/** Answers over HTTP within limits, on Jetty. */
@NullMarked
package org.calando.http.server;

import org.jspecify.annotations.NullMarked;
