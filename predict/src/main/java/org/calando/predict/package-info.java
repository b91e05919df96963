/** Service times fitted to measured runs, and what they say of runs that nobody has tried. */
@org.jspecify.annotations.NullMarked
package org.calando.predict;
