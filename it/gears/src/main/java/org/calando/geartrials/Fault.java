package org.calando.geartrials;

/** What goes wrong in a trial. */
public enum Fault {
  /** The NameNode is killed, and started again by whoever watches it. */
  NAMENODE_KILLED,
  /** A DataNode is killed; those that are to be on are started again. */
  DATANODE_KILLED,
  /** The process that shifts is killed. */
  TOOL_KILLED,
  /** A switch says that its node is off, and leaves it on. */
  LYING_SWITCH,
  /** A node that comes back has no room for what it is to get. */
  DISK_FULL,
  /** The end of the off-load log is damaged. */
  LOG_DAMAGED
}
