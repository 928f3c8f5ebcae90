// The first content of a record: its name, its values, and its activities as a wide window shows them.
import { type Address, formatAddress } from '../../contract/address-values.ts'
import type { Attribute } from '../../contract/attributes.ts'
import { keyAttributes } from '../../contract/key-attributes.ts'
import { dateFormat } from '../../contract/language.ts'
import { formatMoney, formatNumber, type Money } from '../../contract/number-values.ts'
import { namingAttribute, recordName, textNaming } from '../../contract/record-name.ts'
import {
  bar,
  escaped,
  type FirstAddress,
  type FirstObject,
  type FirstRecord,
  type ReadFirst,
} from './first-text.ts'

interface FirstActivity {
  type: string
  title: string
  summary: string
  createdBy: { name: string; email: string }
}

/** Characters of one value: more than a phone shows. */
const VALUE_CHARACTERS = 1500
/** Characters of a summary: more than two lines. */
const PREVIEW_CHARACTERS = 400
/** Number of activities: as many as a high window shows. */
const ENTRIES = 12

const days = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' })

/** Texts of values as in dashboard/types; other types are shown as text. The page adds names of other records. */
const WRITTEN: Partial<Record<Attribute['type'], (value: unknown) => string>> = {
  number: (value) => formatNumber(value as number | string),
  currency: (value) => formatMoney(value as Money),
  date: (value) => days.format(new Date(`${value}T00:00:00Z`)),
  address: (value) => formatAddress(value as Address),
  url: (value) => String(value).replace(/^https?:\/\/(?:www\.)?/, ''),
  checkbox: () => '',
  reference: () => '',
  member: () => '',
}

const isFilled = (value: unknown) =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

function valueText({ type }: Attribute, value: unknown): string {
  if (!isFilled(value)) return ''
  const write = WRITTEN[type] ?? textNaming
  return [value].flat().map(write).join(', ')
}

/** The attributes as the page chooses them: key attributes and those with a value; all if none has a value. */
function shownOf(attributes: readonly Attribute[], { data }: FirstRecord): readonly Attribute[] {
  const filled = attributes.filter(({ slug }) => isFilled(data[slug]))
  const shown = new Set([...filled, ...keyAttributes(attributes)])
  return filled.length === 0 ? attributes : attributes.filter((one) => shown.has(one))
}

function entryOf({ type, title, summary, createdBy }: FirstActivity): string {
  const who = `<b>${escaped(createdBy.name || createdBy.email)}</b>`
  const text = summary && ` · ${escaped(summary, PREVIEW_CHARACTERS)}`
  const preview = type === 'task' && summary === '' ? '' : `<p>${who}${text}</p>`
  return `<div class="shell-entry"><span>${escaped(title)}</span>${preview}</div>`
}

function recordOf(
  { pluralName, attributes }: FirstObject,
  record: FirstRecord,
  activities: readonly FirstActivity[],
) {
  const naming = namingAttribute(attributes)
  const name = recordName(naming, record)
  const others = attributes.filter(({ slug }) => slug !== naming?.slug)
  const values = shownOf(others, record).map((one) => {
    const text = escaped(valueText(one, record.data[one.slug]), VALUE_CHARACTERS)
    return `<div class="shell-value"><span>${escaped(one.name)}</span><b>${text}</b></div>`
  })
  const head = `<div class="shell-name"><i></i><b>${escaped(name)}</b></div>`
  const details = `<div class="shell-record">${head}<i class="shell-parts"></i>${values.join('')}</div>`
  const forms = '<div class="shell-form"></div><div class="shell-form"></div>'
  const timeline = `<div class="shell-timeline">${forms}${activities.map(entryOf).join('')}</div>`
  return `${bar(`${pluralName} › ${name}`)}<div class="shell-columns">${details}${timeline}</div>`
}

/** @returns undefined if the visitor may not read the record, or it was merged into another one */
export async function firstRecord(
  read: ReadFirst,
  { api, object, record }: FirstAddress,
): Promise<string | undefined> {
  const path = `${api}/objects/${object}`
  const [of, found, happened] = (await Promise.all([
    read(path),
    read(`${path}/records/${record}`),
    // If the activities are too slow, only they are left out, not the record.
    read(`${api}/activities?recordId=${record}&limit=${ENTRIES}`).catch(() => undefined),
  ])) as [FirstObject | undefined, FirstRecord | undefined, { activities: FirstActivity[] } | undefined]
  if (!of?.isActive || !found || found.mergedInto !== undefined) return undefined
  return recordOf(of, found, happened?.activities ?? [])
}
