package org.calando.local.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DelayLineTest {
  private static final long DELAY = 1_000_000;

  @Test
  void bytesLeaveInOrderAndNeverEarlierThanTheMergedTimeAllows() throws IOException {
    long seed = Long.getLong("calando.seed", 42);
    for (int run = 0; run < 50; run++) {
      randomRun(new Random(seed + run), DELAY, "seed " + (seed + run));
    }
  }

  @Test
  void bytesLeaveInOrderAndNoneIsEarlyWhileTheDelayChanges() throws IOException {
    long seed = Long.getLong("calando.seed", 42);
    for (int run = 0; run < 50; run++) {
      randomRun(new Random(seed + run), 0, "seed " + (seed + run));
    }
  }

  /** Sends for a while; with a delay that is drawn anew at each step if {@code fixed} is 0. */
  private static void randomRun(Random random, long fixed, String description) throws IOException {
    int limit = 1 << (15 + random.nextInt(3));
    DelayLine.Budget budget = new DelayLine.Budget(1 << 20);
    AtomicLong delay = new AtomicLong(fixed);
    DelayLine line = new DelayLine(limit, budget);
    line.delay(delay::get);
    Deque<long[]> expected = new ArrayDeque<>();
    long lastDue = 0;
    long now = 0;
    byte nextIn = 0;
    byte nextOut = 0;
    for (int step = 0; step < 300; step++) {
      now += random.nextInt(300_000);
      long stamp = now;
      delay.set(fixed > 0 ? fixed : random.nextInt(2_000_000));
      byte[] bytes = new byte[random.nextInt(9000)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (nextIn + i);
      }
      int taken = line.readFrom(source(bytes), () -> stamp);
      if (taken > 0) {
        nextIn += (byte) taken;
        lastDue = Math.max(lastDue, now + delay.get());
        expected.add(new long[] {lastDue, taken});
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      int given = line.writeTo(sink(out, random.nextInt(12000)), now);
      assertThat(given).isEqualTo(out.size());
      byte[] due = new byte[given];
      for (int i = 0; i < given; i++) {
        due[i] = nextOut++;
      }
      assertThat(Arrays.equals(out.toByteArray(), due)).as(description).isTrue();
      requireDue(expected, given, now, description);
      assertThat(line.size()).as(description).isLessThanOrEqualTo(limit);
    }
    line.release();
    assertThat(budget.has(1 << 20)).isTrue();
  }

  private static void requireDue(Deque<long[]> expected, int given, long now, String description) {
    int left = given;
    while (left > 0) {
      long[] oldest = expected.getFirst();
      assertThat(oldest[0]).as(description).isLessThanOrEqualTo(now + DelayLine.MERGE_NANOS);
      int part = (int) Math.min(left, oldest[1]);
      oldest[1] -= part;
      left -= part;
      if (oldest[1] == 0) {
        expected.removeFirst();
      }
    }
  }

  @Test
  void aFullLineTakesNothing() throws IOException {
    DelayLine line = line(1 << 15, new DelayLine.Budget(1 << 20));
    assertThat(line.readFrom(source(new byte[100_000]), () -> 0)).isEqualTo(1 << 15);
    assertThat(line.isFull()).isTrue();
    assertThat(line.readFrom(source(new byte[10]), () -> 0)).isZero();
    assertThat(line.dueNanos()).isEqualTo(DELAY);
  }

  @Test
  void linesShareABudget() throws IOException {
    DelayLine.Budget budget = new DelayLine.Budget(20_000);
    DelayLine first = line(1 << 20, budget);
    DelayLine second = line(1 << 20, budget);
    assertThat(first.readFrom(source(new byte[100_000]), () -> 0)).isEqualTo(16 * 1024);
    assertThat(second.isFull()).isTrue();
    first.release();
    assertThat(second.isFull()).isFalse();
  }

  @Test
  void bytesThatCameBeforeTheDelayWasKnownGetItToo() throws IOException {
    DelayLine line = new DelayLine(1 << 15, new DelayLine.Budget(1 << 20));
    line.readFrom(source(new byte[10]), () -> 1000);
    assertThat(line.dueNanos()).isEqualTo(1000);
    line.delay(() -> DELAY);
    assertThat(line.dueNanos()).isEqualTo(1000 + DELAY);
  }

  @Test
  void aShorterDelayHoldsForWhatComesAfterAndOvertakesNothing() throws IOException {
    AtomicLong delay = new AtomicLong(DELAY);
    DelayLine line = new DelayLine(1 << 15, new DelayLine.Budget(1 << 20));
    line.delay(delay::get);
    line.readFrom(source(new byte[] {1}), () -> 0);
    delay.set(0);
    line.readFrom(source(new byte[] {2}), () -> 1000);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(line.writeTo(sink(out, 10), DELAY - 1)).isZero();
    assertThat(line.writeTo(sink(out, 10), DELAY)).isEqualTo(2);
    assertThat(out.toByteArray()).containsExactly(1, 2);
    assertThat(line.dueNanos(DELAY + 5)).isEqualTo(DELAY + 5);
  }

  @Test
  void aLongerDelayLeavesBytesOnTheirWayAlone() throws IOException {
    AtomicLong delay = new AtomicLong(DELAY);
    DelayLine line = new DelayLine(1 << 15, new DelayLine.Budget(1 << 20));
    line.delay(delay::get);
    line.readFrom(source(new byte[] {1}), () -> 0);
    delay.set(3 * DELAY);
    line.readFrom(source(new byte[] {2}), () -> 1000);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(line.writeTo(sink(out, 10), DELAY)).isEqualTo(1);
    assertThat(line.dueNanos()).isEqualTo(1000 + 3 * DELAY);
  }

  private static DelayLine line(int limit, DelayLine.Budget budget) {
    DelayLine line = new DelayLine(limit, budget);
    line.delay(() -> DELAY);
    return line;
  }

  private static ReadableByteChannel source(byte[] bytes) {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    return new ReadableByteChannel() {
      @Override
      public int read(ByteBuffer into) {
        int count = Math.min(left.remaining(), into.remaining());
        into.put(left.slice(left.position(), count));
        left.position(left.position() + count);
        return count;
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {}
    };
  }

  private static WritableByteChannel sink(ByteArrayOutputStream out, int room) {
    return new WritableByteChannel() {
      @Override
      public int write(ByteBuffer from) {
        int count = Math.min(from.remaining(), room - out.size());
        byte[] bytes = new byte[count];
        from.get(bytes);
        out.writeBytes(bytes);
        return count;
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {}
    };
  }
}
