package org.calando.studyfile.service;

import java.nio.file.Path;

/**
 * Who is notified when something is amiss. Immutable and thread safe.
 *
 * @param urlFile the file whose first line is the address that is posted to, a secret
 * @param afterNanos so long something is amiss before that is notified, 0 or more
 */
public record NotifySpec(Path urlFile, long afterNanos) {}
