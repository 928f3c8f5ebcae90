// Amounts sent without a currency keep the currency of the record on update (decisions, amended in November 2026).
import { isRawNumber, type JsonValue, parseJson } from '../../base/json.ts'
import { distinctBy } from '../values/distinct.ts'

type Data = Record<string, JsonValue | undefined>

const currencyIn = (value: JsonValue | undefined): JsonValue | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
    ? value['currency']
    : undefined

/** The currency of a stored value. For a list, the currency that all its elements share. */
function currencyOf(stored: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(stored)) return currencyIn(stored)
  const currencies = new Set(stored.map(currencyIn))
  return currencies.size === 1 ? [...currencies][0] : undefined
}

function completed(value: JsonValue, currency: JsonValue): JsonValue {
  if (Array.isArray(value))
    return distinctBy(
      value.map((element) => completed(element, currency)),
      (element) => JSON.stringify(element),
    )
  return currencyIn(value) === undefined ? { ...(value as Record<string, JsonValue>), currency } : value
}

/**
 * @param stored data of a locked record, as JSON text
 * @param patch JSON text to merge into it, with the organization's currency where none was sent
 * @param bareAmounts the values with amounts without a currency, as they were sent, by slug
 * @returns the patch with the record's own currencies
 */
export function keepCurrencies(stored: string, patch: string, bareAmounts: Readonly<Data>): string {
  const before = parseJson(stored) as Data
  const kept = Object.entries(bareAmounts).flatMap(([slug, value]) => {
    const currency = currencyOf(before[slug])
    return currency === undefined || value === undefined ? [] : [[slug, completed(value, currency)] as const]
  })
  return JSON.stringify({ ...(parseJson(patch) as Data), ...Object.fromEntries(kept) })
}
