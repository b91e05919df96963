package org.calando.core.workload;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.calando.core.workload.internal.keys.RandomStream;

/**
 * Text of phrases of four words of fixed length, one on each line, as searched by the grep of Le et
 * al., "An evaluation on power consumption and performance balancing distributed storage systems"
 * (2011), section 4.2: made from a seed, of any size, and without end until it is closed. While it
 * is made it counts its words, so that afterwards the number of matches of a pattern is known
 * without a look at the text.
 *
 * <p>A line is 28 bytes, so that lines straddle the blocks that a file is stored in. The words are
 * the same for all seeds; which of them follow each other is drawn uniformly. Not thread safe.
 */
public final class PhraseText {
  /** Letters in a word. */
  public static final int WORD_BYTES = 6;

  /** Words in a phrase. */
  public static final int WORDS = 4;

  /** Bytes of a phrase with the end of its line. */
  public static final int LINE_BYTES = WORDS * (WORD_BYTES + 1);

  private static final int VOCABULARY_BITS = 12;
  private static final int VOCABULARY = 1 << VOCABULARY_BITS;

  /** Of the words; any but what seeds of texts are likely to be. */
  private static final long VOCABULARY_SEED = 0x70687261736573L;

  /** Neither blanks nor ends of lines can be matched by these, so every match lies in a word. */
  private static final Pattern WITHIN_A_WORD = Pattern.compile("[a-z0-9\\[\\]{},?+*()|-]+");

  private static final byte[] WORDS_BYTES = vocabulary();

  private final RandomStream random;
  private final long bytes;
  private final long[] counts = new long[VOCABULARY];
  private final byte[] line = new byte[LINE_BYTES];
  private int inLine = LINE_BYTES;
  private long made;

  /**
   * The text number {@code stream} of a seed.
   *
   * @param stream texts of different numbers differ, for example 0 for the first file
   * @param bytes the size of it all, 0 or more; what is left after the last full line is ends of
   *     lines
   */
  public PhraseText(long seed, int stream, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes " + bytes);
    }
    this.random = new RandomStream(seed, stream);
    this.bytes = bytes;
  }

  /**
   * Makes the next part.
   *
   * @return how many bytes were put into the buffer from its begin on: all that it holds, fewer at
   *     the end, 0 after it
   */
  public int next(byte[] buffer) {
    int length = (int) Math.min(buffer.length, bytes - made);
    for (int at = 0; at < length; ) {
      if (inLine == LINE_BYTES) {
        nextLine();
      }
      int part = Math.min(LINE_BYTES - inLine, length - at);
      System.arraycopy(line, inLine, buffer, at, part);
      inLine += part;
      at += part;
      made += part;
    }
    return length;
  }

  private void nextLine() {
    inLine = 0;
    if (bytes - made < LINE_BYTES) {
      Arrays.fill(line, (byte) '\n');
      return;
    }
    long bits = random.nextLong();
    for (int i = 0; i < WORDS; i++) {
      int word = (int) (bits & (VOCABULARY - 1));
      bits >>>= VOCABULARY_BITS;
      counts[word]++;
      int at = i * (WORD_BYTES + 1);
      System.arraycopy(WORDS_BYTES, word * WORD_BYTES, line, at, WORD_BYTES);
      line[at + WORD_BYTES] = (byte) (i == WORDS - 1 ? '\n' : ' ');
    }
  }

  /**
   * How often a pattern matches in the lines begun so far, as repeated searching finds it.
   *
   * @param regex a regular expression of Java made of small letters, digits, classes, groups,
   *     alternatives and quantifiers, which does not match the empty text
   * @throws BadRequestException if it is something else
   */
  public long matches(String regex) {
    Pattern pattern = requireWithinAWord(regex);
    long sum = 0;
    for (int word = 0; word < VOCABULARY; word++) {
      if (counts[word] > 0) {
        sum += counts[word] * matchesInWord(pattern, word);
      }
    }
    return sum;
  }

  private static long matchesInWord(Pattern pattern, int word) {
    Matcher matcher = pattern.matcher(word(word));
    long count = 0;
    while (matcher.find()) {
      count++;
    }
    return count;
  }

  private static Pattern requireWithinAWord(String regex) {
    Pattern pattern;
    try {
      pattern = Pattern.compile(regex);
    } catch (java.util.regex.PatternSyntaxException e) {
      throw new BadRequestException(
          "the pattern is no regular expression: " + e.getDescription(), regex, "correct it");
    }
    if (!WITHIN_A_WORD.matcher(regex).matches() || pattern.matcher("").find()) {
      throw new BadRequestException(
          "the matches of the pattern are not known beforehand",
          regex,
          "use small letters, digits, classes such as [a-m], groups, | and quantifiers, and nothing"
              + " that matches the empty text");
    }
    return pattern;
  }

  /** A pattern drawn at random: the first three letters of a word, and any three letters. */
  public static String pattern(long seed) {
    int word = (int) new RandomStream(seed, 0).nextLong(VOCABULARY);
    return word(word).substring(0, 3) + "[a-z]{3}";
  }

  private static String word(int word) {
    StringBuilder text = new StringBuilder(WORD_BYTES);
    for (int i = 0; i < WORD_BYTES; i++) {
      text.append((char) WORDS_BYTES[word * WORD_BYTES + i]);
    }
    return text.toString();
  }

  /** Consonants and vowels in turn: some words begin alike, and some come twice. */
  private static byte[] vocabulary() {
    RandomStream random = new RandomStream(VOCABULARY_SEED, 0);
    byte[] all = new byte[VOCABULARY * WORD_BYTES];
    for (int i = 0; i < all.length; i++) {
      String letters = i % 2 == 0 ? "bdfgklmnprstvz" : "aeiou";
      all[i] = (byte) letters.charAt((int) random.nextLong(letters.length()));
    }
    return all;
  }
}
