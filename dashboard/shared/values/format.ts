// Formats values in the language of contract/language.ts.
import type { Money } from '../../../contract/number-values.ts'
import type { PersonName } from '../../../contract/person-name.ts'
import { dateFormat } from '../../ui/dates.ts'
import { lazy } from '../../ui/lazy.ts'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
export const isMoney = (value: unknown): value is Money => isObject(value) && 'amount' in value

/** Whether there is no value: undefined, null, an empty text or an empty list. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const day = lazy(() => dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }))
const timestampFormat = lazy(() => dateFormat({ dateStyle: 'medium', timeStyle: 'medium' }))
/**
 * @param value a calendar day, `2026-11-20`, which no time zone shifts; or a timestamp, shown in the user's time zone
 */
export function formatDay(value: string): string {
  if (value.includes('T') && !Number.isNaN(Date.parse(value)))
    return timestampFormat().format(new Date(value))
  const date = new Date(`${value}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? value : day().format(date)
}

export const formatName = ({ firstName, lastName }: PersonName): string =>
  [firstName, lastName].filter(Boolean).join(' ')
