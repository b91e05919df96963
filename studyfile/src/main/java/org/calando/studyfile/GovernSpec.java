package org.calando.studyfile;

/**
 * What {@code calando govern} governs, and how. Immutable and thread safe.
 *
 * @param redis the servers
 * @param policy name of the policy that decides about their clocks
 * @param clocks how it does
 */
public record GovernSpec(RedisGroup redis, String policy, ManagedClocks clocks) {}
