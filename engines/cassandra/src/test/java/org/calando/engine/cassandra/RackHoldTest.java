package org.calando.engine.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.Profiles;
import org.calando.core.observe.ClientRequests;
import org.calando.engine.NodeGears;
import org.calando.gears.rack.PaperRacks;
import org.calando.gears.rack.RackMeans;
import org.calando.gears.rack.RackShifter;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchBoard;
import org.calando.store.cassandra.gear.RackServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Studies, governors and commands at the racks of one inventory at once. */
class RackHoldTest {
  private static final Set<String> RACK = Set.of("dc1/r3");
  private static final String NOWHERE = "between shifts";

  @TempDir Path folder;

  private static RackNodeGears gears(RackMeans means, String owner) {
    return new RackNodeGears(
        new NodeGears.User(
            Profiles.byName(Profiles.DEFAULT).orElseThrow(),
            1000,
            owner,
            () -> 0,
            () -> 0,
            Map::of),
        means,
        ClientRequests.unknown("on paper"),
        shifter -> shifter.gears(1));
  }

  private static void assertRefused(ThrowingCallable work, String owner) {
    assertThatThrownBy(work)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("is held by another owner")
        .hasMessageContaining(owner);
  }

  /** Also between its shifts: a rack that another has off would be a gear of its runs. */
  @Test
  void whoeverDecidesKeepsOthersFromShifting() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    RackNodeGears study = gears(racks.means(), "./calando study");
    study.hold();
    RackShifter command = new RackShifter(racks.means(), "./calando gear down");
    RackNodeGears governor = gears(racks.means(), "govern /etc/calando/govern.yaml");
    for (int round = 0; round < 2; round++) {
      assertRefused(() -> command.shift(RACK), ", ./calando study");
      assertRefused(command::requireNone, ", ./calando study");
      assertRefused(governor::hold, ", ./calando study");
      assertThat(study.shift(3 - study.gear()).to()).isPositive();
    }
    assertThat(study.gear()).isEqualTo(2);
    study.close();
    governor.hold();
    assertRefused(study::hold, "govern /etc/calando/govern.yaml");
    governor.close();
    command.shift(RACK);
    assertThat(study.gear()).isEqualTo(1);
  }

  /** What a shift that is under way has is its own until it has ended. */
  @Test
  void whoeverEndsInTheMidstOfAShiftKeepsOthersOutUntilItsEnd() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    RackMeans means = racks.means();
    RackNodeGears[] study = new RackNodeGears[1];
    study[0] =
        gears(
            before(
                means,
                "drain",
                () -> {
                  study[0].close();
                  assertRefused(() -> gears(means, "another").hold(), "./calando study");
                }),
            "./calando study");
    study[0].hold();
    study[0].move(1);
    assertThatCode(() -> gears(means, "another").hold()).doesNotThrowAnyException();
  }

  /** The lock ends with the process; what was begun is in the journal, for whoever comes next. */
  @ParameterizedTest
  @ValueSource(strings = {NOWHERE, "keepHints", "drain", "off"})
  void whatAKilledOneLeavesIsTheNextOnes(String step) throws Exception {
    PaperRacks racks = new PaperRacks(folder);
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                folder.toString(),
                step)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = holder.inputReader()) {
      assertThat(said.readLine()).isEqualTo(step);
      String owner = "process " + holder.pid() + ", ./calando study";
      assertRefused(() -> gears(racks.means(), "another").hold(), owner);
      assertRefused(() -> new RackShifter(racks.means(), "a command").shift(RACK), owner);
      assertRefused(() -> new RackShifter(racks.means(), "a command").resume(), owner);
    } finally {
      holder.destroyForcibly().waitFor();
    }
    RackNodeGears next = gears(racks.means(), "the next study");
    next.hold();
    if (!step.equals(NOWHERE)) {
      assertThatThrownBy(() -> next.requireAllOn("matrix.gear", "begin again"))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("a shift of its gear was begun and not ended")
          .hasMessageContaining("./calando gear up --local cassandra --undo");
      next.shiftUp();
    }
    next.requireAllOn("matrix.gear", "begin again");
  }

  /** The same, but that something is done before each call of a name, of nodes or switches. */
  private static RackMeans before(RackMeans means, String name, Runnable first) {
    Map<String, PowerSwitch> switches = new HashMap<>();
    means
        .board()
        .switches()
        .forEach((node, each) -> switches.put(node, before(PowerSwitch.class, each, name, first)));
    return new RackMeans(
        before(RackServers.class, means.servers(), name, first),
        new SwitchBoard(switches, means.board().telling(), means.board().news()),
        means.path(),
        means.keeps(),
        means.patience(),
        means.named(),
        means.changed(),
        means.offSeconds());
  }

  private static <T> T before(Class<T> kind, T real, String name, Runnable first) {
    return kind.cast(
        Proxy.newProxyInstance(
            kind.getClassLoader(),
            new Class<?>[] {kind},
            (proxy, method, arguments) -> {
              if (method.getName().equals(name)) {
                first.run();
              }
              try {
                return method.isDefault()
                    ? InvocationHandler.invokeDefault(proxy, method, arguments)
                    : method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** Has the racks, says so within a shift or between shifts, and waits to be killed. */
  public static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws InterruptedException {
      Runnable stand =
          () -> {
            System.out.println(args[1]);
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              throw new FailedWorkException("interrupted", "a test", "none", e);
            }
          };
      RackNodeGears gears =
          gears(
              before(new PaperRacks(Path.of(args[0])).means(), args[1], stand), "./calando study");
      gears.hold();
      if (!args[1].equals(NOWHERE)) {
        gears.move(1);
      }
      stand.run();
    }
  }
}
