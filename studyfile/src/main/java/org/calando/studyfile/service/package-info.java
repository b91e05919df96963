/** What files may say of services that listen, and what agents are told. */
@NullMarked
package org.calando.studyfile.service;

import org.jspecify.annotations.NullMarked;
