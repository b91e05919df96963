package org.calando.power.schema;

import java.net.URI;
import java.util.Map;
import org.calando.schema.Binding;
import org.calando.schema.Bound;
import org.calando.schema.ScalarType;
import org.calando.schema.Tree;
import org.calando.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * An address without user and password; one that has them is refused without being shown.
 *
 * @param address binds all other addresses
 */
record UrlType(ScalarType<URI> address) implements Type<URI> {
  @Override
  public @Nullable Bound<URI> bind(Tree tree, Binding at) {
    if (tree instanceof Tree.Scalar scalar && scalar.text().contains("@")) {
      at.error(
          tree.where(),
          "shows a user or password",
          "write them as user and password-file or password-env");
      return null;
    }
    return address.bind(tree, at);
  }

  @Override
  public String label() {
    return address.label();
  }

  @Override
  public String range() {
    return address.range();
  }

  @Override
  public Map<String, Object> jsonSchema() {
    return address.jsonSchema();
  }
}
