// Sums of a column over everything that matches, exact, one per currency.
import type { Group } from '../../../../contract/groups.ts'
import type { Attribute } from '../../../shared/api/objects.ts'

/** There are always few enough groups of these to show all, and no record is in two. */
const COUNTED_ONCE: readonly Attribute['type'][] = ['select', 'checkbox']

/** What the service groups by on the way to a sum; undefined: there is nothing it could. */
export const groupedBy = (attributes: readonly Attribute[]): Attribute | undefined =>
  attributes.find(({ type, isList }) => !isList && COUNTED_ONCE.includes(type)) ??
  attributes.find(({ type, isList }) => !isList && type === 'date')

const SCALE = 30

/** Thirty decimals are more than any number has. */
function scaled(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.')
  const value = BigInt(whole + fraction.padEnd(SCALE, '0').slice(0, SCALE))
  return decimal.startsWith('-') ? -value : value
}

function unscaled(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(SCALE + 1, '0')
  const fraction = digits.slice(-SCALE).replace(/0+$/, '')
  const text = digits.slice(0, -SCALE) + (fraction && `.${fraction}`)
  return value < 0n ? `-${text}` : text
}

/** @returns the sums of all groups together, each with its currency; null for plain numbers */
export function totals(groups: readonly Pick<Group, 'sums'>[]): { currency: string | null; sum: string }[] {
  const byCurrency = new Map<string | null, bigint>()
  for (const { currency, sum } of groups.flatMap(({ sums }) => sums))
    byCurrency.set(currency, (byCurrency.get(currency) ?? 0n) + scaled(sum))
  return [...byCurrency].map(([currency, sum]) => ({ currency, sum: unscaled(sum) }))
}
