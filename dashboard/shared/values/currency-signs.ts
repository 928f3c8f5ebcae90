// Finds the currency of a code or sign.
import { CURRENCY_CODES } from '../../../contract/currencies.ts'

const signOf = (tag: string | undefined, currency: string, currencyDisplay: 'symbol' | 'narrowSymbol') =>
  new Intl.NumberFormat(tag, { style: 'currency', currency, currencyDisplay })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')
    ?.value.replace(/[\u200e\u200f\u061c]/g, '')
    .toUpperCase() ?? currency

/**
 * Currencies by code and by the language's signs. A sign of several currencies means the one that the language uses it
 * for.
 */
function signsOf(tag: string | undefined): ReadonlyMap<string, string> {
  const narrow = CURRENCY_CODES.map((code) => [signOf(tag, code, 'narrowSymbol'), code] as const)
  const own = CURRENCY_CODES.map((code) => [signOf(tag, code, 'symbol'), code] as const)
  // Later entries win.
  return new Map([...narrow.toReversed(), ...own, ...CURRENCY_CODES.map((code) => [code, code] as const)])
}

const known = new Map<string | undefined, ReadonlyMap<string, string>>()

/**
 * @param tag a language; undefined for the browser's language
 * @param own the currency of the field; its sign always means it, so `$` is Canadian in a field of Canadian dollars
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
