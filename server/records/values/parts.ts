// Values made of named texts.
import { type AttributeType, TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import { singleLine } from '../../../contract/single-line.ts'
import { isRawNumber } from '../../base/json.ts'
import { instead, sentName } from '../../base/suggestions.ts'
import { isStorable } from '../../http/storable.ts'
import { NOT_STORABLE, type Refusal } from './attribute.ts'

export type Parts = { [part: string]: string }

export const isParts = (value: unknown): value is { [part: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)

export const isRefusal = (parts: Parts | Refusal): parts is Refusal => 'code' in parts

const knownParts = (type: AttributeType): readonly string[] => TYPE_CONTRACTS[type].parts ?? []

const unknownPart = (type: AttributeType, part: string, { code }: Refusal): Refusal => ({
  code,
  message: `has no part ${sentName(part)}: ${instead(part, knownParts(type))}`,
})

const notText = (part: string, { code }: Refusal): Refusal => ({ code, message: 'must be text', part })

/**
 * The non-empty parts in their order; rejected if a key is unknown, a part is not text, or all are empty.
 * @param tidy is applied to each part before it is checked
 */
export function takeParts(
  type: AttributeType,
  value: { [part: string]: unknown },
  refusal: Refusal,
  tidy = singleLine,
): Parts | Refusal {
  const known = knownParts(type)
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown !== undefined) return unknownPart(type, unknown, refusal)
  const taken: Parts = {}
  let isAny = false
  for (const part of known) {
    const sent = value[part]
    if (sent === undefined || sent === null) continue
    if (typeof sent !== 'string') return notText(part, refusal)
    const text = tidy(sent)
    if (text === '') continue
    if (!isStorable(text)) return { ...NOT_STORABLE, part }
    taken[part] = text
    isAny = true
  }
  return isAny ? taken : refusal
}

/** Joins all parts that exist into one text. */
export function joinParts(type: AttributeType, value: unknown, separator: string): string {
  if (!isParts(value)) return String(value)
  let joined: string | undefined
  for (const part of knownParts(type)) {
    const text = value[part] ?? undefined
    if (text !== undefined) joined = joined === undefined ? String(text) : `${joined}${separator}${text}`
  }
  return joined ?? ''
}
