// How a record is called wherever it is shown: one rule for the server and the browser.
import { TYPE_CONTRACTS } from './attribute-types.ts'
import type { Attribute } from './attributes.ts'

/** Whether the values of an attribute can name records: one text for each. */
export const canName = ({ type, isList }: Pick<Attribute, 'type' | 'isList'>): boolean =>
  !isList && TYPE_CONTRACTS[type].naming !== undefined

/** The attribute whose value names the records of an object; undefined when it has none such. */
export const namingAttribute = <One extends { isNaming: boolean }>(
  attributes: readonly One[],
): One | undefined => attributes.find(({ isNaming }) => isNaming)

/** Where a long text names records, its beginning does. In characters of Unicode, as PostgreSQL counts. */
export const NAME_CHARACTERS_MAX = 300

/** The end of an id: its beginning is a time, which records made together share. */
export const shortId = (id: string): string => id.slice(-8)

const isName = (value: unknown): value is { firstName?: string; lastName?: string } =>
  typeof value === 'object' && value !== null

/** The text of a value that can name records; none of any other. */
export function textNaming(value: unknown): string {
  if (typeof value === 'string') return value
  return isName(value) ? [value.firstName, value.lastName].filter(Boolean).join(' ') : ''
}

const shortened = (text: string): string =>
  text.length <= NAME_CHARACTERS_MAX ? text : Array.from(text).slice(0, NAME_CHARACTERS_MAX).join('')

/** @param attribute the one that `namingAttribute` found @param data the record's */
export const recordName = (
  attribute: { slug: string } | undefined,
  { id, data }: { id: string; data: Readonly<Record<string, unknown>> },
): string => (attribute && shortened(textNaming(data[attribute.slug]))) || shortId(id)
