// Exact decimals of any length: results hold more digits than a number of JavaScript does.

interface Decimal {
  digits: bigint
  /** Digits behind the point. */
  scale: number
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i

/** undefined: it is no number. */
function parse(value: unknown): Decimal | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(String(value)) ?? []
  if (sign === undefined) return undefined
  const digits = BigInt(`${sign}${whole}${fraction}`)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

function write({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : ''
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const whole = text.slice(0, text.length - scale)
  const fraction = text.slice(text.length - scale).replace(/0+$/, '')
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

const at = ({ digits, scale }: Decimal, wanted: number): bigint => digits * 10n ** BigInt(wanted - scale)

/** `to - from`, exactly; undefined where one of them is no number. */
export function subtract(to: unknown, from: unknown): string | undefined {
  const [left, right] = [parse(to), parse(from)]
  if (!left || !right) return undefined
  const scale = Math.max(left.scale, right.scale)
  return write({ digits: at(left, scale) - at(right, scale), scale })
}
