package org.calando.toy;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.ClusterControl;
import org.calando.engine.ClusterRequest;
import org.calando.engine.LoadBounds;
import org.calando.engine.Target;
import org.calando.toy.ToyEngine.ToyLocal;

/** A toy that runs: this process is its only node. */
final class ToyTarget implements Target {
  private final ClusterRequest request;

  ToyTarget(ClusterRequest request) {
    this.request = request;
  }

  @Override
  public List<Node> nodes() {
    return List.of(
        new Node(
            "n1",
            "localhost",
            "",
            request.power().profile(),
            OptionalLong.of(ProcessHandle.current().pid()),
            Optional.empty()));
  }

  @Override
  public KeyValueStore connect(LoadBounds bounds) {
    return new ToyStore(request.local().get(ToyLocal.class).delay());
  }

  @Override
  public List<String> heal() {
    return List.of();
  }

  @Override
  public void onProcessEnd(Consumer<String> listener) {
    // It ends with whoever would hear of it.
  }

  @Override
  public Optional<ClusterControl> control() {
    return Optional.empty();
  }

  @Override
  public void close() {
    // Nothing is left.
  }
}
