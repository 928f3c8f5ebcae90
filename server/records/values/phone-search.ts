// Searches for parts of phone numbers. The operand may be a part of the national or the international format, while
// numbers are stored as E.164. This file converts the first digits of a national number, so that an index of E.164
// finds them.
import metadata from 'libphonenumber-js/min/metadata'
import type { FilterOperator } from '../../../contract/operators.ts'

export type PhoneOperator = 'contains' | 'startsWith' | 'endsWith'

export const isPhoneOperator = (operator: FilterOperator): operator is PhoneOperator =>
  operator === 'contains' || operator === 'startsWith' || operator === 'endsWith'

/** A number matches if its E.164 form matches any of these. */
export interface PhoneSearch {
  /** The number begins with one of these. None of them begins with another. */
  starts: readonly string[]
  inside?: string
  end?: string
  /** The number is one of these. */
  whole: readonly string[]
}

/** The place of the national prefix in a country's compact metadata. */
const NATIONAL_PREFIX = 5

interface NumberingPlan {
  /** Such as +44. */
  code: string
  /** The national prefix, such as 0; empty if the country has none. */
  prefix: string
}

const PLANS: readonly NumberingPlan[] = [
  ...Object.entries(metadata.country_calling_codes).map(([code, [country]]) => {
    const plan: readonly unknown[] = (country && metadata.countries[country]) || []
    return { code: `+${code}`, prefix: String(plan[NATIONAL_PREFIX] || '') }
  }),
  ...Object.keys(metadata.nonGeographic ?? {}).map((code) => ({ code: `+${code}`, prefix: '' })),
]

/** The E.164 prefixes for the first digits of a national number, for each country with that national prefix. */
const afterPrefix = (digits: string): string[] =>
  PLANS.filter(({ prefix }) => prefix !== '' && digits.startsWith(prefix)).map(
    ({ code, prefix }) => code + digits.slice(prefix.length),
  )

/** Leaves out starts that begin with another start. */
function shortest(starts: readonly string[]): string[] {
  const kept: string[] = []
  for (const start of starts.toSorted()) if (!start.startsWith(kept.at(-1) ?? '\n')) kept.push(start)
  return kept
}

/** @param operand digits, after a + if they begin with a country code, possibly with an extension */
export function phoneSearch(operator: PhoneOperator, operand: string): PhoneSearch {
  const national = operand.startsWith('+') ? [] : afterPrefix(operand)
  if (operator === 'contains') return { inside: operand, starts: shortest(national), whole: [] }
  if (operator === 'endsWith') return { end: operand, starts: [], whole: national }
  if (operand.startsWith('+')) return { starts: [operand], whole: [] }
  const starts = [`+${operand}`, ...PLANS.map(({ code }) => code + operand), ...national]
  return { starts: shortest(starts), whole: [] }
}

/** Matches one number in memory. */
export const matchesPhone = (phone: string, { starts, inside, end, whole }: PhoneSearch): boolean =>
  (inside !== undefined && phone.includes(inside)) ||
  (end !== undefined && phone.endsWith(end)) ||
  starts.some((start) => phone.startsWith(start)) ||
  whole.includes(phone)
