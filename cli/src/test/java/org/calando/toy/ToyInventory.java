package org.calando.toy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.Finding;
import org.calando.engine.InventorySpec;
import org.calando.engine.InventoryTarget;
import org.calando.engine.LoadBounds;
import org.calando.engine.StoreSpec;

/** A toy of the user's own: it is said to be there if somebody listens. */
final class ToyInventory extends InventoryTarget {
  private static final int WITHIN_MILLIS = 1_000;

  ToyInventory(StoreSpec store, NodeProfile profile) {
    super(store, profile);
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

  private static String knock(InventorySpec.Node node) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(node.address(), node.port()), WITHIN_MILLIS);
      return "listens";
    } catch (IOException e) {
      throw new FailedWorkException(
          "nobody listens", node.address() + ":" + node.port(), "start the toy", e);
    }
  }
}
