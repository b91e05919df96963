package org.calando.core;

import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Some of a machine's logical processors, by number. Immutable and thread safe. */
public final class CpuSet {
  /** As many as Linux can have; keeps a wrong file, or a request, from filling the memory. */
  private static final int MAX_CPU = 1 << 13;

  private final BitSet bits;

  private CpuSet(BitSet bits) {
    this.bits = bits;
  }

  /** No processor. */
  public static CpuSet none() {
    return new CpuSet(new BitSet());
  }

  /** These processors. */
  public static CpuSet of(int... cpus) {
    BitSet bits = new BitSet();
    for (int cpu : cpus) {
      bits.set(checked(cpu));
    }
    return new CpuSet(bits);
  }

  /** All processors of several sets. */
  public static CpuSet union(Collection<CpuSet> sets) {
    BitSet bits = new BitSet();
    sets.forEach(set -> bits.or(set.bits));
    return new CpuSet(bits);
  }

  /**
   * Reads a list as the kernel writes it: numbers and ranges, by commas or blanks, such as {@code
   * 0-3,8}; an empty one is no processor.
   *
   * @throws IllegalArgumentException if it is no such list
   */
  public static CpuSet parse(String text) {
    BitSet bits = new BitSet();
    for (String part : text.strip().split("[,\\s]+", -1)) {
      if (part.isEmpty()) {
        continue;
      }
      if (!part.matches("\\d{1,6}(-\\d{1,6})?")) {
        throw new IllegalArgumentException("no list of processors: " + text);
      }
      int dash = part.indexOf('-');
      int first = checked(Integer.parseInt(dash < 0 ? part : part.substring(0, dash)));
      int last = dash < 0 ? first : checked(Integer.parseInt(part.substring(dash + 1)));
      if (last < first) {
        throw new IllegalArgumentException("no list of processors: " + text);
      }
      bits.set(first, last + 1);
    }
    return new CpuSet(bits);
  }

  /** Their numbers, the lowest first. */
  public List<Integer> cpus() {
    return bits.stream().boxed().collect(Collectors.toUnmodifiableList());
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return bits.isEmpty();
  }

  /** Whether both have one in common. */
  public boolean intersects(CpuSet other) {
    return bits.intersects(other.bits);
  }

  /** Those that the other set does not have. */
  public CpuSet without(CpuSet other) {
    BitSet left = (BitSet) bits.clone();
    left.andNot(other.bits);
    return new CpuSet(left);
  }

  /** A bit each, that of processor 0 being the lowest of the first byte: the kernel's mask. */
  public byte[] mask() {
    return bits.toByteArray();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CpuSet set && set.bits.equals(bits);
  }

  @Override
  public int hashCode() {
    return bits.hashCode();
  }

  /** In words that {@link #parse} reads. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(",");
    for (int first = bits.nextSetBit(0); first >= 0; ) {
      int end = bits.nextClearBit(first);
      text.add(end - first == 1 ? String.valueOf(first) : first + "-" + (end - 1));
      first = bits.nextSetBit(end);
    }
    return text.toString();
  }

  private static int checked(int cpu) {
    if (cpu < 0 || cpu >= MAX_CPU) {
      throw new IllegalArgumentException("no processor: " + cpu);
    }
    return cpu;
  }
}
