package org.calando.power.snmp;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.calando.power.Ticker;

/**
 * The devices that are being read. Sources are values without state, so what the probes of one
 * device share must be found by the device: here, as long as a probe is open. Thread safe.
 */
final class SnmpClients {
  private static final Map<Key, SnmpClient> OPEN = new HashMap<>();

  private SnmpClients() {}

  private record Key(SnmpDevice device, Ticker ticker) {}

  /** The client of a device, for a probe that must {@link #leave} it. */
  static SnmpClient join(SnmpDevice device, Ticker ticker, Object probe) {
    synchronized (OPEN) {
      SnmpClient client =
          OPEN.computeIfAbsent(new Key(device, ticker), key -> new SnmpClient(device, ticker));
      client.watch(probe, Set.of());
      return client;
    }
  }

  /** Ends what a probe shared; harmless if repeated. */
  static void leave(SnmpDevice device, Ticker ticker, Object probe) {
    synchronized (OPEN) {
      Key key = new Key(device, ticker);
      SnmpClient client = OPEN.get(key);
      if (client != null && client.leave(probe)) {
        OPEN.remove(key);
      }
    }
  }
}
