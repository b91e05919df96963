/**
 * Where a service of Calando's listens, who may ask it, and how it is asked; what connections of
 * TLS show and trust. JDK classes only.
 */
@NullMarked
package org.calando.http;

import org.jspecify.annotations.NullMarked;
