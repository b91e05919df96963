package org.calando.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;

/** The example of docs/session.md, between the lines that say so. */
final class ShopExample {
  private ShopExample() {}

  static String run(CqlSession driver) {
    // example
    try (AdaptiveSession session =
        AdaptiveSession.wrap(driver).tolerate("shop.orders", 0.05).build()) {
      PreparedStatement read = session.prepare("SELECT status FROM shop.orders WHERE id = ?");
      Row row = session.execute(read.bind(42L)).one(); // at most 5 % of such reads are stale
      Row exact = session.execute(AdaptiveSession.tolerating(read.bind(42L), 0)).one();
      PreparedStatement write = session.prepare("UPDATE shop.orders SET status = ? WHERE id = ?");
      session.execute(write.bind("sent", 42L)); // unchanged
      System.out.println(session.inUse(TableName.parse("shop.orders")).orElseThrow());
      return row.getString("status") + ", " + exact.getString("status");
    }
    // end of example
  }
}
