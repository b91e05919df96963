package org.calando.cli;

/**
 * What a command that has ended answered.
 *
 * @param exitCode 0, 1 or 2
 * @param stdout all of its standard output
 * @param stderr all of its standard error
 */
record CommandAnswer(int exitCode, String stdout, String stderr) {}
