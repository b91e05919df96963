package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.calando.core.BadRequestException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class UnfinishedPlanOptionsTest {
  @Command
  @SuppressWarnings("NullAway.Init") // picocli sets the fields
  private static final class Sample {
    @Mixin private UnfinishedPlanOptions unfinished;
  }

  private static void check(String arguments, boolean others) {
    Sample sample = new Sample();
    var unused = new CommandLine(sample).parseArgs(arguments.split(" ", -1));
    sample.unfinished.refuseMixed("idle", others, "--node");
  }

  @ParameterizedTest
  @CsvSource({"--resume, false", "--undo, false", "--abandon, false"})
  void oneOfThemByItselfIsTaken(String arguments, boolean others) {
    assertThatCode(() -> check(arguments, others)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "--resume --undo, false",
    "--undo --abandon, false",
    "--resume --abandon, false",
    "--resume, true",
    "--undo, true",
    "--abandon, true"
  })
  void severalOrOneWithAnotherPlanAreRefused(String arguments, boolean others) {
    assertThatThrownBy(() -> check(arguments, others))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("one at a time")
        .hasMessageContaining("without --node");
  }
}
