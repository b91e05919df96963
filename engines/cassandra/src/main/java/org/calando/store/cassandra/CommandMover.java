package org.calando.store.cassandra;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.calando.core.BadRequestException;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/**
 * Orders moves by a command of the user's own, such as {@code ssh {address} nodetool move --
 * {token}}, which the shell runs. Its end tells little: what the nodes say counts.
 */
public final class CommandMover implements TokenMover {
  private static final String ADDRESS = "{address}";
  private static final String NODE = "{node}";
  private static final String TOKEN = "{token}";
  private static final int MOST_SHOWN = 500;

  private final String move;
  private final @Nullable String cleanup;

  /**
   * A mover.
   *
   * @param move the command; holds {@code {token}} and one of {@code {address}} and {@code {node}}
   * @param cleanup the command that has a node drop what it is no replica of; null if there is none
   * @throws BadRequestException if a command lacks one of them
   */
  public CommandMover(String move, @Nullable String cleanup) {
    require(move, move.contains(TOKEN), "holds no " + TOKEN);
    requireNode(move);
    if (cleanup != null) {
      requireNode(cleanup);
    }
    this.move = move;
    this.cleanup = cleanup;
  }

  private static void requireNode(String command) {
    require(
        command,
        command.contains(ADDRESS) || command.contains(NODE),
        "holds neither " + ADDRESS + " nor " + NODE);
  }

  private static void require(String command, boolean good, String what) {
    if (!good) {
      throw new BadRequestException(
          what, "command '" + command + "'", "write it as: ssh {address} nodetool move -- {token}");
    }
  }

  @Override
  public CompletionStage<Ended> move(RingNode node, BigInteger token) {
    return run(command(node, token));
  }

  @Override
  public CompletionStage<Ended> cleanup(RingNode node) {
    if (cleanup == null) {
      throw new IllegalStateException("no command for cleanup");
    }
    return run(fill(cleanup, node));
  }

  /** The command that moves a node. */
  public String command(RingNode node, BigInteger token) {
    return fill(move, node).replace(TOKEN, token.toString());
  }

  private static String fill(String command, RingNode node) {
    return command
        .replace(ADDRESS, node.address().getAddress().getHostAddress())
        .replace(NODE, node.name());
  }

  private static CompletionStage<Ended> run(String command) {
    CompletableFuture<Ended> end = new CompletableFuture<>();
    var unused = DaemonThread.start("calando-move-command", () -> end.complete(await(command)));
    return end;
  }

  private static Ended await(String command) {
    try {
      Process process =
          new ProcessBuilder("/bin/sh", "-c", command)
              .redirectErrorStream(true)
              .redirectInput(Path.of("/dev/null").toFile())
              .start();
      String said = last(process.getInputStream());
      int code = process.waitFor();
      return code == 0
          ? new Ended(End.DONE, "")
          : new Ended(End.UNKNOWN, "the command ended with " + code + ": " + said);
    } catch (IOException e) {
      return new Ended(End.REFUSED, "the command cannot be run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Ended(End.UNKNOWN, "the wait was interrupted");
    }
  }

  /** The end of what a command says. */
  private static String last(InputStream in) throws IOException {
    StringBuilder said = new StringBuilder();
    byte[] buffer = new byte[1024];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      said.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
      if (said.length() > MOST_SHOWN) {
        said.delete(0, said.length() - MOST_SHOWN);
      }
    }
    return said.toString().strip();
  }
}
