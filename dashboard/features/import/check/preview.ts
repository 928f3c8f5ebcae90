// A preview of the first rows. Only the check on the server decides whether values are valid.
import { formatAddress } from '../../../../contract/address-values.ts'
import { hostIn } from '../../../../contract/host-name.ts'
import type { CellFormat } from '../../../../contract/imports.ts'
import { readDay, readMoney, readNumber } from '../../../../contract/local-format.ts'
import { readYesNo } from '../../../../contract/yes-no.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { optionsOf } from '../../../shared/values/attribute-config.ts'
import { formatName } from '../../../shared/values/format.ts'
import { formatValue } from '../../../shared/values/format-value.ts'
import { holdsMany } from '../../../types/types.ts'
import { type Draft, NOTHING, partOf, RECORD_ID, slugOf } from '../map/mapping.ts'

/** One value, or one element of a list. */
export interface PreviewValue {
  text: string
  /** Why the value is invalid, in a few words. */
  problem?: string
}

export interface PreviewColumn {
  attribute: Attribute
  /** The columns of the file that fill the attribute. */
  sources: readonly { index: number; part: string | undefined }[]
}

interface Locale {
  format: CellFormat
  /** Currency of amounts without one. */
  currency: string
}

/** The attributes that the file fills, in the order of the object. */
export function previewColumns(draft: Draft, attributes: readonly Attribute[]): PreviewColumn[] {
  return attributes
    .map((attribute) => ({
      attribute,
      sources: draft.targets.flatMap((target, index) =>
        target !== NOTHING && target !== RECORD_ID && slugOf(target) === attribute.slug
          ? [{ index, part: partOf(target) }]
          : [],
      ),
    }))
    .filter(({ sources }) => sources.length > 0)
}

type Read = (text: string, attribute: Attribute, locale: Locale) => PreviewValue

const wrong = (text: string, problem: string): PreviewValue => ({ text, problem })

const day: Read = (text, attribute, { format }) => {
  const read = readDay(text, format).slice(0, 10)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(read) && !Number.isNaN(Date.parse(read))
  return isDay ? { text: formatValue(attribute, read) } : wrong(text, 'not a date')
}

const NUMBER = /^-?\d+(?:\.\d+)?$/

const number: Read = (text, attribute, { format }) => {
  const read = readNumber(text, format)
  return NUMBER.test(read) ? { text: formatValue(attribute, read) } : wrong(text, 'not a number')
}

const money: Read = (text, attribute, { format, currency }) => {
  const [, code = currency, amount] = /^(?:([A-Z]{3}) )?(\S+)$/.exec(readMoney(text, format)) ?? []
  if (amount === undefined || !NUMBER.test(amount)) return wrong(text, 'not an amount')
  return { text: formatValue(attribute, { amount, currency: code }) }
}

const checkbox: Read = (text) => {
  const isYes = readYesNo(text)
  return isYes === undefined ? wrong(text, 'neither yes nor no') : { text: isYes ? 'Yes' : 'No' }
}

const email: Read = (text) =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? { text } : wrong(text, 'not an email address')

const domain: Read = (text) => (hostIn(text) === undefined ? wrong(text, 'not a website') : { text })

const option: Read = (text, { config }) => {
  const options = optionsOf({ config })
  const found = options.find((one) => one.toLowerCase() === text.toLowerCase())
  return found === undefined ? wrong(text, 'not one of the options') : { text: found }
}

const READ: Partial<Record<Attribute['type'], Read>> = {
  date: day,
  number,
  currency: money,
  checkbox,
  email,
  domain,
  select: option,
}

const COUNTRY = /^[A-Za-z]{2}$/

function joined({ type }: Attribute, parts: Readonly<Record<string, string>>): string {
  if (type === 'name') return formatName(parts)
  const { country = '', ...rest } = parts
  // Only country codes can be formatted here. The service also accepts names of countries.
  const place = formatAddress(COUNTRY.test(country) ? parts : rest)
  return COUNTRY.test(country) ? place : [place, country].filter(Boolean).join(', ')
}

function spread(attribute: Attribute, parts: Readonly<Record<string, string>>, locale: Locale): PreviewValue {
  const { amount = '', currency = '' } = parts
  if (attribute.type !== 'currency') return { text: joined(attribute, parts) }
  return money(`${currency} ${readNumber(amount, locale.format)}`.trim(), attribute, {
    ...locale,
    format: { ...locale.format, decimal: '.' },
  })
}

/** @returns the elements of the value; empty if the row has no value */
export function previewValues(
  { attribute, sources }: PreviewColumn,
  cells: readonly string[],
  locale: Locale,
): PreviewValue[] {
  const found = sources
    .map(({ index, part }) => ({ part, text: (cells[index] ?? '').trim() }))
    .filter(({ text }) => text !== '')
  const [first] = found
  if (!first) return []
  const read = (text: string) => READ[attribute.type]?.(text, attribute, locale) ?? { text }
  if (first.part !== undefined && attribute.type !== 'reference')
    return [spread(attribute, Object.fromEntries(found.map(({ part, text }) => [part, text])), locale)]
  if (!holdsMany(attribute)) return [read(first.text)]
  const elements = first.text.split(';').map((text) => text.trim())
  return elements.filter((text) => text !== '').map(read)
}

/** The values of a column that look invalid for its attribute. */
export const unlikeValues = (
  attribute: Attribute,
  samples: readonly string[],
  locale: Locale,
): PreviewValue[] =>
  samples
    .flatMap((text) => previewValues({ attribute, sources: [{ index: 0, part: undefined }] }, [text], locale))
    .filter(({ problem }) => problem !== undefined)
