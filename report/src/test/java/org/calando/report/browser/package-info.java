/** A headless browser for tests, spoken to over the DevTools protocol. */
@NullMarked
package org.calando.report.browser;

import org.jspecify.annotations.NullMarked;
