// Reads a number as people write it: `1.500` is 1500 in German and 1.5 in English. Digits are never converted to
// floating point, so 30 digits stay exact.

export interface NumberReading {
  /** A plain decimal in the form of the API: `-1500.25`. */
  value: string
  /** ISO 4217 code, if a code or sign is next to the number. */
  currency?: string
  /**
   * The number is ambiguous: another convention reads it differently, or it is abbreviated (12k). The field then shows
   * it in full.
   */
  isUnclear: boolean
}

/** The separators of a language. */
interface Convention {
  decimal: string
  groups: ReadonlySet<string>
}

export interface Locale {
  convention: Convention
  /** The digits 0 to 9 in the script of the language. */
  digits: readonly string[]
}

const NEUTRAL = ["'", ' ']
const OTHERS: readonly Convention[] = [
  { decimal: '.', groups: new Set([',', ...NEUTRAL]) },
  { decimal: ',', groups: new Set(['.', ...NEUTRAL]) },
]

const SPACES = /[\s\u00a0\u2009\u202f]+/g
const APOSTROPHES = /[’ʼ`´]/g
const INVISIBLE = /[\u200e\u200f\u061c\u2066-\u2069]/g
const MINUS = /[−–‒﹣－]/g

const plainSign = (sign: string): string => sign.replace(SPACES, ' ').replace(APOSTROPHES, "'")

/** @param tag a language such as `de-CH`; by default the browser's */
export function localeOf(tag?: string): Locale {
  const parts = new Intl.NumberFormat(tag, { useGrouping: 'always' }).formatToParts(-1234567.8)
  const sign = (type: string) => plainSign(parts.find((part) => part.type === type)?.value ?? '')
  const digit = new Intl.NumberFormat(tag, { useGrouping: false })
  return {
    convention: { decimal: sign('decimal') || '.', groups: new Set([sign('group'), ...NEUTRAL]) },
    digits: Array.from({ length: 10 }, (_, at) => digit.format(at)),
  }
}

/** Longest first, so that `mn` is not read as `m` and `n`. */
const SHORT: readonly (readonly [string, number])[] = [
  ['mio', 6],
  ['mn', 6],
  ['bn', 9],
  ['k', 3],
  ['m', 6],
  ['b', 9],
]

/** Converts digits of the language to 0–9, and variants of spaces, apostrophes and signs to plain ones. */
function normalized(text: string, { digits }: Locale): string {
  const latin = [...text].map((char) => {
    const at = digits.indexOf(char)
    return at < 0 ? char : String(at)
  })
  return plainSign(latin.join('').replace(INVISIBLE, '').replace(MINUS, '-')).trim()
}

interface Signed {
  isNegative: boolean
  rest: string
}

/** Removes the sign: a minus before or after the number, a plus, or accounting parentheses. */
function withoutSign(text: string): Signed {
  const inside = /^\((.*)\)$/.exec(text)?.[1]
  if (inside !== undefined) return { isNegative: true, rest: inside.trim() }
  const sign = /^[-+]|[-+]$/.exec(text)?.[0]
  const rest = text.replace(/^[-+]|[-+]$/, '').trim()
  return { isNegative: sign === '-', rest }
}

interface Short {
  power: number
  rest: string
}

function withoutShort(text: string): Short {
  const lower = text.toLowerCase()
  const [suffix = '', power = 0] = SHORT.find(([one]) => lower.endsWith(one)) ?? []
  return { power, rest: suffix === '' ? text : text.slice(0, -suffix.length).trim() }
}

/**
 * Removes group separators: groups of three, or of two before the last three as in India. All separators must be equal.
 */
function withoutGroups(whole: string, groups: ReadonlySet<string>): string | undefined {
  if (/^\d*$/.test(whole)) return whole
  const sign = /\D/.exec(whole)?.[0] ?? ''
  const [first = '', ...others] = whole.split(sign)
  const last = others.at(-1) ?? ''
  const middle = others.slice(0, -1)
  const isOf = (length: number) => middle.every((group) => group.length === length)
  const isGrouped = groups.has(sign) && /^[1-9]\d{0,2}$/.test(first) && last.length === 3
  const isIndian = first.length <= 2 && isOf(2)
  if (!isGrouped || !(isOf(3) || isIndian)) return undefined
  const digits = [first, ...others].join('')
  return /^\d+$/.test(digits) ? digits : undefined
}

interface Digits {
  whole: string
  fraction: string
}

function digitsOf(text: string, { decimal, groups }: Convention): Digits | undefined {
  const [before = '', fraction = '', ...more] = text.split(decimal)
  const whole = withoutGroups(before, groups)
  if (whole === undefined || more.length > 0 || !/^\d*$/.test(fraction)) return undefined
  return whole + fraction === '' ? undefined : { whole, fraction }
}

/** Moves the decimal point right by `power` places, and removes needless zeros. */
function plain({ whole, fraction }: Digits, power: number, isNegative: boolean): string {
  const padded = fraction.padEnd(power, '0')
  const left = `${whole}${padded.slice(0, power)}`.replace(/^0+(?=\d)/, '') || '0'
  const right = padded.slice(power).replace(/0+$/, '')
  const text = right === '' ? left : `${left}.${right}`
  return isNegative && text !== '0' ? `-${text}` : text
}

/** Reads a number without a currency; undefined if the text is not a number. */
function readPlain(text: string, { convention }: Locale): NumberReading | undefined {
  const outer = withoutSign(text)
  const { power, rest } = withoutShort(outer.rest)
  const inner = outer.isNegative ? { isNegative: true, rest } : withoutSign(rest)
  const readings = [convention, ...OTHERS].map((one) => {
    const digits = digitsOf(inner.rest, one)
    return digits && plain(digits, power, inner.isNegative)
  })
  const [own] = readings
  const value = readings.find((one) => one !== undefined)
  if (value === undefined) return undefined
  const isOther = readings.some((one) => one !== undefined && one !== own)
  return { value, isUnclear: power > 0 || isOther }
}

/** Splits off the text before and after the digits: a code, a sign, or nothing. */
const AROUND = /^([-+(]?)\s*([^\d\s.,'()+-]*)\s*(.*?)\s*([^\d\s.,'()+-]*)\s*([-+)]?)$/u

/**
 * @param currencyOf returns the code for a currency code or sign in capitals (`$`, `USD`), otherwise undefined
 * @returns undefined if the text is not a number
 */
export function readNumber(
  text: string,
  locale: Locale,
  currencyOf: (sign: string) => string | undefined = () => undefined,
): NumberReading | undefined {
  const line = normalized(text, locale)
  const plainReading = readPlain(line, locale)
  if (plainReading) return plainReading
  const [, open = '', before = '', body = '', after = '', close = ''] = AROUND.exec(line) ?? []
  const [sign, rest] = before ? [before, body + after] : [after, body]
  const currency = sign === '' ? undefined : currencyOf(sign.toUpperCase())
  const reading = currency && readPlain(`${open}${rest}${close}`, locale)
  return reading ? { ...reading, currency } : undefined
}
