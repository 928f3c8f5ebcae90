// Exact decimals with four places, and fractions of them, as integers.

const PLACES = 4
const ONE = 10n ** BigInt(PLACES)

/** Ten-thousandths. */
export type Decimal = bigint

export interface Fraction {
  over: bigint
  under: bigint
}

export function decimalOf(value: number): Decimal {
  const [whole = '0', fraction = ''] = value.toFixed(PLACES).replace('-', '').split('.')
  const size = BigInt(whole) * ONE + BigInt(fraction.padEnd(PLACES, '0'))
  return value < 0 ? -size : size
}

export const average = (values: readonly Decimal[]): Fraction => ({
  over: values.reduce((sum, one) => sum + one, 0n),
  under: BigInt(values.length) * ONE,
})

/** Rounds half away from zero, as PostgreSQL does. @returns units of the last place */
export function roundTo({ over, under }: Fraction, places: number): bigint {
  const scaled = over * 10n ** BigInt(places)
  const isNegative = scaled < 0n !== under < 0n
  const [size, by] = [scaled < 0n ? -scaled : scaled, under < 0n ? -under : under]
  const rounded = (2n * size + by) / (2n * by)
  return isNegative ? -rounded : rounded
}

export function toNumber(units: bigint, places: number): number {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`
  // Never minus zero.
  return units < 0n ? -Number(text) : Number(text)
}
