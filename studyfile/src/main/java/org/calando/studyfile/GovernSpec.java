package org.calando.studyfile;

import org.calando.engine.ServerGroup;

/**
 * What {@code calando govern} governs, and how. Immutable and thread safe.
 *
 * @param servers the servers
 * @param policy name of the policy that decides about their clocks
 * @param clocks how it does
 */
public record GovernSpec(ServerGroup servers, String policy, ManagedClocks clocks) {}
