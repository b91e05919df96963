package org.calando.core.layout;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An exact share of a whole, in lowest terms. Immutable.
 *
 * @param numerator any whole number
 * @param denominator above 0
 */
public record Fraction(BigInteger numerator, BigInteger denominator)
    implements Comparable<Fraction> {
  /** Nothing. */
  public static final Fraction ZERO = of(0, 1);

  /** The whole. */
  public static final Fraction ONE = of(1, 1);

  private static final Pattern RATIO = Pattern.compile("(\\d{1,9})/(\\d{1,9})");
  private static final Pattern DECIMAL = Pattern.compile("(\\d{1,9}(\\.\\d{1,9})?)\\s?(%)?");
  private static final BigDecimal PERCENT = BigDecimal.valueOf(100);

  /** Reduces it to lowest terms. */
  public Fraction {
    if (denominator.signum() <= 0) {
      throw new IllegalArgumentException(numerator + "/" + denominator);
    }
    BigInteger common = numerator.gcd(denominator);
    numerator = numerator.divide(common);
    denominator = denominator.divide(common);
  }

  /**
   * A share of small numbers.
   *
   * @param denominator above 0
   */
  public static Fraction of(long numerator, long denominator) {
    return new Fraction(BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
  }

  /** Reads {@code 1/3}, {@code 0.25} or {@code 25%}; empty if it is none of them. */
  public static Optional<Fraction> parse(String text) {
    Matcher ratio = RATIO.matcher(text);
    if (ratio.matches()) {
      BigInteger denominator = new BigInteger(ratio.group(2));
      return denominator.signum() == 0
          ? Optional.empty()
          : Optional.of(new Fraction(new BigInteger(ratio.group(1)), denominator));
    }
    Matcher decimal = DECIMAL.matcher(text);
    if (!decimal.matches()) {
      return Optional.empty();
    }
    BigDecimal value = new BigDecimal(decimal.group(1));
    BigInteger one = BigInteger.TEN.pow(value.scale());
    BigInteger whole = decimal.group(3) == null ? one : one.multiply(PERCENT.toBigInteger());
    return Optional.of(new Fraction(value.unscaledValue(), whole));
  }

  /** The sum. */
  public Fraction plus(Fraction other) {
    return new Fraction(
        numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
        denominator.multiply(other.denominator));
  }

  /**
   * The share divided into equal parts.
   *
   * @param parts above 0
   */
  public Fraction dividedBy(long parts) {
    return new Fraction(numerator, denominator.multiply(BigInteger.valueOf(parts)));
  }

  /**
   * This share of so many things, to the nearest whole number; half a thing counts as one.
   *
   * @param things 0 or more
   */
  public BigInteger of(int things) {
    BigInteger twice = numerator.multiply(BigInteger.valueOf(2L * things)).add(denominator);
    return twice.divide(denominator.multiply(BigInteger.TWO));
  }

  /** The nearest number that a double has. */
  public double toDouble() {
    return new BigDecimal(numerator)
        .divide(new BigDecimal(denominator), MathContext.DECIMAL64)
        .doubleValue();
  }

  @Override
  public int compareTo(Fraction other) {
    return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
  }

  /** As {@code 1/3}; a whole number without a denominator. */
  @Override
  public String toString() {
    return denominator.equals(BigInteger.ONE)
        ? numerator.toString()
        : numerator + "/" + denominator;
  }
}
