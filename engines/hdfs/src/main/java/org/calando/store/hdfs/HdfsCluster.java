package org.calando.store.hdfs;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.store.hdfs.internal.Beans;
import org.calando.store.hdfs.internal.BlockTransfer;
import org.calando.store.hdfs.internal.HostsFile;
import org.calando.store.hdfs.internal.Listing;
import org.calando.store.hdfs.internal.NameNode;
import org.calando.store.hdfs.internal.NodeCalls;
import org.calando.store.hdfs.internal.Reports;

/**
 * A live HDFS cluster: its nodes, where the replicas of its blocks are, moves of single replicas,
 * and maintenance. Thread safe.
 *
 * <p>Methods block. A NameNode that does not answer, or starts again, is asked again for {@link
 * HdfsAccess#answerWithin}; then they throw {@link FailedWorkException}.
 */
public final class HdfsCluster implements AutoCloseable {
  private static final List<String> REFUSED_IF_TRUE =
      List.of("dfs.block.access.token.enable", "dfs.encrypt.data.transfer");

  private final HdfsAccess access;
  private final NameNode nameNode;
  private final Beans beans;

  private HdfsCluster(HdfsAccess access) {
    this.access = access;
    this.nameNode = new NameNode(access);
    this.beans = new Beans(access);
  }

  /**
   * Connects to a cluster.
   *
   * @throws BadRequestException if it asks for Kerberos, block tokens or encrypted transfer
   * @throws FailedWorkException if it does not answer
   */
  public static HdfsCluster open(HdfsAccess access) {
    HdfsCluster cluster = unchecked(access);
    try {
      cluster.refuseWhatIsNotSupported();
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** One that is not asked yet whether it is supported. */
  static HdfsCluster unchecked(HdfsAccess access) {
    return new HdfsCluster(access);
  }

  /** How it is reached. */
  public HdfsAccess access() {
    return access;
  }

  /** All DataNodes that the NameNode knows, by name. */
  public List<HdfsNode> nodes() {
    return nameNode.call(
        "listing DataNodes",
        fs ->
            Reports.nodes(
                fs.getDataNodeStats(DatanodeReportType.ALL),
                fs.getDataNodeStats(DatanodeReportType.LIVE)));
  }

  /**
   * Tells of all files below a folder, a page after the other. Files that come, go or change
   * meanwhile are told or not.
   *
   * @param folder absolute path
   * @throws BadRequestException if there is no such folder
   */
  public void files(String folder, Consumer<FileBlocks> consumer) {
    new Listing(nameNode).walk(folder, consumer);
  }

  /**
   * A file as it is now.
   *
   * @return empty if there is none, or it is a folder
   */
  public Optional<FileBlocks> file(String path) {
    return new Listing(nameNode).file(path);
  }

  /**
   * Has a node copy a block from another, as the Balancer does, and waits for the end. When the
   * copy is reported, the NameNode deletes one replica if the block has more than its file asks
   * for: that of the hint where its placement policy agrees.
   *
   * @param sourceUuid the node whose replica is not wanted any more
   * @param proxy a node that is on and holds the block; the source itself or another
   * @param target a node in service that does not
   * @param timeout for the whole transfer; connecting takes at most 10 s of it
   */
  public TransferResult transfer(
      FileBlocks.BlockReplicas block,
      String sourceUuid,
      HdfsNode proxy,
      HdfsNode target,
      Duration timeout) {
    return BlockTransfer.run(block, sourceUuid, proxy, target, timeout);
  }

  /**
   * Puts nodes into maintenance and others back in service, in the hosts file, and has the NameNode
   * read it; {@link #nodes} tells when it has followed. Other nodes, and whatever else the file
   * says, stay as they are.
   *
   * @param among names of the nodes to decide about
   * @param maintenance those of them to be in maintenance
   * @throws BadRequestException if there is no hosts file, or it does not list one of the nodes, or
   *     one is being decommissioned
   */
  public void setMaintenance(Collection<String> among, Set<String> maintenance) {
    hostsFile().set(among, maintenance);
    refreshNodes();
  }

  /**
   * Which of some nodes the hosts file puts into maintenance, by the names given.
   *
   * @param among names of nodes
   * @throws BadRequestException if there is no hosts file that lists them
   */
  public Set<String> maintenance(Collection<String> among) {
    return hostsFile().maintenance(among);
  }

  /** Has the NameNode read its hosts file. */
  public void refreshNodes() {
    nameNode.run("refreshing nodes", fs -> fs.refreshNodes());
  }

  /**
   * Asks a node to report all of its blocks to the NameNode, which it does by itself every few
   * hours only; {@link HdfsNode#lastReport} tells when it has.
   *
   * @throws FailedWorkException if the node does not answer
   */
  public void askForReport(HdfsNode node) {
    nameNode.run("asking for a report", fs -> NodeCalls.askForReport(fs, node));
  }

  /**
   * Whether a node answers a call of ours. That it takes connections, or that the NameNode holds it
   * for live, says little: a process that hangs keeps the first for ever and the second for
   * minutes.
   *
   * @param within how long it may take
   * @throws FailedWorkException if the NameNode does not answer
   */
  public boolean answers(HdfsNode node, Duration within) {
    return nameNode.call("asking a DataNode", fs -> NodeCalls.answers(fs, node, within));
  }

  /**
   * How long each live node has been silent, by name: the age of its last heartbeat as the NameNode
   * counts it, in whole seconds.
   */
  public Map<String, Duration> silences() {
    return Reports.silences(beans);
  }

  /** Blocks of all files. */
  public long blocks() {
    return Reports.blocks(beans);
  }

  /** How many blocks each live DataNode has sent because the NameNode ordered it, by name. */
  public Map<String, ReplicationCount> replicationCounts() {
    return Reports.replicationCounts(beans);
  }

  /** What each live DataNode has read and written; counters are up to 10 s old. */
  public List<NodeTraffic> traffic() {
    return Reports.traffic(beans);
  }

  /**
   * A bean of the NameNode.
   *
   * @param name such as {@code Hadoop:service=NameNode,name=FSNamesystemState}
   * @return empty if it has none of that name
   */
  public Optional<JsonNode> bean(String name) {
    return beans.bean(name);
  }

  /** What the NameNode was told of a setting, its default included; empty if it knows none. */
  public Optional<String> setting(String name) {
    return beans.setting(name);
  }

  /** The release that the NameNode runs, such as {@code 3.5.0}. */
  public String version() {
    return bean(Reports.INFO).map(bean -> bean.path("SoftwareVersion").asText()).orElse("");
  }

  NameNode nameNode() {
    return nameNode;
  }

  @Override
  public void close() {
    nameNode.close();
  }

  private HostsFile hostsFile() {
    return new HostsFile(
        access
            .hostsFile()
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "the NameNode's hosts file is not known, so no node can be put into"
                            + " maintenance",
                        access.uri().toString(),
                        "name it; the NameNode's dfs.hosts says where it is")));
  }

  private void refuseWhatIsNotSupported() {
    String authentication = setting("hadoop.security.authentication").orElse("simple");
    if (!authentication.equals("simple")) {
      throw new BadRequestException(
          "the cluster asks for " + authentication + ", and Calando has no tickets to show",
          access.uri().toString(),
          "use a cluster with hadoop.security.authentication=simple");
    }
    for (String name : REFUSED_IF_TRUE) {
      if (setting(name).filter(Boolean::parseBoolean).isPresent()) {
        throw new BadRequestException(
            "the cluster has " + name + ", so replicas cannot be moved without its secret keys",
            access.uri().toString(),
            "use a cluster without");
      }
    }
  }
}
