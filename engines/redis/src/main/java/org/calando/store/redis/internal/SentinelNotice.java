package org.calando.store.redis.internal;

import java.util.List;
import java.util.Optional;

/**
 * What a Sentinel published.
 *
 * @param chosen {@code host:port} of the node that is, or is to be, the master; empty if it only
 *     says that something changes
 */
record SentinelNotice(Optional<String> chosen) {
  /**
   * Reads a message of a subscription to everything.
   *
   * @param masterName the master that is watched; others are not our business
   * @return empty if it is no message, or of another master
   */
  static Optional<SentinelNotice> of(Object reply, String masterName) {
    if (!(reply instanceof List<?> list)
        || list.size() < 4
        || !"pmessage".equals(list.get(0))
        || !(list.get(2) instanceof String channel)
        || !(list.get(3) instanceof String payload)) {
      return Optional.empty();
    }
    String[] words = payload.split(" ", -1);
    if (channel.equals("+switch-master")) {
      // NAME OLD-HOST OLD-PORT NEW-HOST NEW-PORT
      return words.length >= 5 && words[0].equals(masterName)
          ? Optional.of(new SentinelNotice(Optional.of(words[3] + ":" + words[4])))
          : Optional.empty();
    }
    // KIND NAME HOST PORT [@ MASTER-NAME MASTER-HOST MASTER-PORT]
    if (words.length < 4 || !concerns(words, masterName)) {
      return Optional.empty();
    }
    boolean choice = channel.equals("+selected-slave") || channel.equals("+promoted-slave");
    return Optional.of(
        new SentinelNotice(choice ? Optional.of(words[2] + ":" + words[3]) : Optional.empty()));
  }

  private static boolean concerns(String[] words, String masterName) {
    return (words.length >= 6 && words[4].equals("@"))
        ? words[5].equals(masterName)
        : words[1].equals(masterName);
  }
}
