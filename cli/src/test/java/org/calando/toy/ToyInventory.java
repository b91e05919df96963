package org.calando.toy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.observe.ClientUse;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.observe.PromiseFigures;
import org.calando.core.observe.Promised;
import org.calando.core.store.GovernorClaim;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.Finding;
import org.calando.engine.GearControl;
import org.calando.engine.GearSettings;
import org.calando.engine.InventorySpec;
import org.calando.engine.InventoryTarget;
import org.calando.engine.LoadBounds;
import org.calando.engine.NodeGears;
import org.calando.engine.StoreSpec;

/** A toy of the user's own: it is said to be there if somebody listens. */
final class ToyInventory extends InventoryTarget
    implements GearControl.Governed, PromiseFigures.Source {
  /** Names the file of {@link ToyClaim}; toys keep no claim without it. */
  static final String CLAIM = "toy.claim";

  private static final int WITHIN_MILLIS = 1_000;

  ToyInventory(StoreSpec store, NodeProfile profile) {
    super(store, profile);
  }

  @Override
  public <C> Optional<C> find(Class<C> capability) {
    return capability == GovernorClaim.Source.class
        ? Optional.ofNullable(System.getProperty(CLAIM))
            .map(file -> capability.cast(new ToyClaim(Path.of(file))))
        : super.find(capability);
  }

  @Override
  public KeyValueStore connect(LoadBounds bounds) {
    return new ToyStore(Duration.ZERO);
  }

  @Override
  public List<Finding> examine(Optional<String> table) {
    return inventory().nodes().stream()
        .map(node -> Finding.of("node " + node.name(), () -> knock(node)))
        .toList();
  }

  @Override
  public NodeGears gears(
      GearSettings settings, NodeProfile profile, String owner, Consumer<String> news) {
    Path file =
        ToyGears.configured()
            .orElseThrow(() -> new BadRequestException("a toy without gears", "toy", "add them"));
    return new ToyGears(NodeGears.User.governor(profile, settings, owner), file);
  }

  private static String knock(InventorySpec.Node node) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(node.address(), node.port()), WITHIN_MILLIS);
      return "listens";
    } catch (IOException e) {
      throw new FailedWorkException(
          "nobody listens", node.address() + ":" + node.port(), "start the toy", e);
    }
  }

  @Override
  public PromiseFigures.Means means(Promised promise, ClientUse clients) {
    return promise == Promised.STALE
        ? PromiseFigures.Means.by("the dial")
        : PromiseFigures.Means.none("promise another thing");
  }

  @Override
  public PromiseFigures figures(ClientUse clients) {
    return new DialFigures();
  }

  /** A toy has as many stale reads, in percent, as its dial says. */
  private static final class DialFigures implements PromiseFigures {
    @Override
    public CompletionStage<Map<Promised, PromiseFigure>> ask() {
      return CompletableFuture.supplyAsync(
          () -> {
            double share = dial() / 100.0;
            return Map.of(
                Promised.STALE,
                new PromiseFigure(share, share, 1000, PromiseFigure.Kind.MEASURED, "the dial"));
          });
    }

    private static int dial() {
      try {
        return Integer.parseInt(
            Files.readString(Path.of(System.getProperty(ToyDial.FILE))).strip());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public List<String> problems() {
      return List.of();
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }
}
