// Which currency a code or sign means.
import { CURRENCY_CODES } from '../../../contract/currencies.ts'

const signOf = (tag: string | undefined, currency: string, currencyDisplay: 'symbol' | 'narrowSymbol') =>
  new Intl.NumberFormat(tag, { style: 'currency', currency, currencyDisplay })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')
    ?.value.replace(/[\u200e\u200f\u061c]/g, '')
    .toUpperCase() ?? currency

/** Codes and the signs of the language; of a sign of several currencies the one that the language means by it. */
function signsOf(tag: string | undefined): ReadonlyMap<string, string> {
  const narrow = CURRENCY_CODES.map((code) => [signOf(tag, code, 'narrowSymbol'), code] as const)
  const own = CURRENCY_CODES.map((code) => [signOf(tag, code, 'symbol'), code] as const)
  // Later entries win.
  return new Map([...narrow.toReversed(), ...own, ...CURRENCY_CODES.map((code) => [code, code] as const)])
}

const known = new Map<string | undefined, ReadonlyMap<string, string>>()

/**
 * @param tag a language; the browser's when undefined
 * @param own the currency of the field: its own sign means it, so `$` is Canadian in a field of Canadian dollars
 */
export function currencyOf(tag: string | undefined, own?: string): (sign: string) => string | undefined {
  const ownSigns = new Set(own && [signOf(tag, own, 'narrowSymbol'), signOf(tag, own, 'symbol')])
  return (sign) => {
    if (ownSigns.has(sign)) return own
    const signs = known.get(tag) ?? signsOf(tag)
    known.set(tag, signs)
    return signs.get(sign)
  }
}
