// Exact arithmetic with decimals of many digits, without floating point.

interface Scaled {
  units: bigint
  scale: number
}

function scaled(text: string): Scaled {
  const [whole = '0', fraction = ''] = text.split('.')
  return { units: BigInt(`${whole}${fraction}`), scale: fraction.length }
}

function toText({ units, scale }: Scaled): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}

/** @param text a plain decimal, `-12.50` */
export const negated = (text: string): string => {
  const { units, scale } = scaled(text)
  return toText({ units: -units, scale })
}

/** The exact sum of two plain decimals. */
export function addDecimals(a: string, b: string): string {
  const [left, right] = [scaled(a), scaled(b)]
  const scale = Math.max(left.scale, right.scale)
  const raise = (one: Scaled) => one.units * 10n ** BigInt(scale - one.scale)
  return toText({ units: raise(left) + raise(right), scale })
}

/** A number of a record as a plain decimal; undefined if it is not a number or has an exponent. */
export function decimalOf(value: unknown): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const text = String(value)
  return /^-?\d+(\.\d+)?$/.test(text) ? text : undefined
}
