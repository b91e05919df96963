package org.calando.power.host;

import java.util.regex.Pattern;

/*
 * A byte must be counted once. A partition's bytes are in its disk's, a logical volume's and a RAID
 * array's in those of the disks below, a bond's, bridge's or VLAN's in those of the interface that
 * carries them. The patterns are in the dialect that Java and Prometheus (RE2) have in common.
 */

/** Which devices count for a machine's disk and network figures. */
final class Devices {
  /** Block devices that are no disk, or part of one. */
  static final String NOT_DISKS =
      "(ram|loop|fd|sr|dm-|md|zram|nbd|drbd|rbd|zd|bcache)[0-9]+|(h|s|v|xv)d[a-z]+[0-9]+"
          + "|(nvme[0-9]+(c[0-9]+)?n|mmcblk)[0-9]+p[0-9]+|mmcblk[0-9]+(boot[0-9]+|rpmb)"
          + "|nvme[0-9]+c[0-9]+n[0-9]+|md_d?[0-9]+";

  /** Interfaces that carry nothing off the machine, or what another one carries. */
  static final String NOT_NETWORKS =
      "lo|(veth|docker|br-|virbr|vnet|cni|flannel|cali|cilium|lxc|lxd|tap|tun|wg|dummy|ifb|bond|team"
          + "|br|vxlan|geneve|gre|gretap|erspan|sit|ip6tnl|tunl|vlan|macvtap|ovs|podman|kube|nodelocal"
          + ").*|.+[.].+";

  private static final Pattern NOT_A_DISK = Pattern.compile(NOT_DISKS);
  private static final Pattern NOT_A_NETWORK = Pattern.compile(NOT_NETWORKS);

  private Devices() {}

  static boolean isDisk(String device) {
    return !device.isEmpty() && !NOT_A_DISK.matcher(device).matches();
  }

  static boolean isNetwork(String device) {
    return !device.isEmpty() && !NOT_A_NETWORK.matcher(device).matches();
  }
}
