package org.calando.cli;

import picocli.CommandLine.Command;

/** placeholder */
@Command(name = "local")
final class LocalCommand {}
