// Finds what an earlier schema of the API document allows or guarantees, and the current schema does not. Pure.
import { isObject } from '../../base/json.ts'
import type { OpenApiDocument, Ref, Schema } from '../../http/openapi/document.ts'
import { resolved } from '../api-document.ts'

export interface Documents {
  before: OpenApiDocument
  now: OpenApiDocument
}

/** `request`: callers send the value; `response`: they get it. */
export type Side = 'request' | 'response'

interface Pair {
  before: unknown
  now: unknown
  /** The place of the schema, for people. */
  at: string
}

interface Comparison {
  documents: Documents
  side: Side
  /** Pairs of names whose comparison is in progress: schemas may contain themselves. */
  open: ReadonlySet<string>
}

const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems'] as const
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems'] as const
/** Requests may lose these keywords, and answers may gain them; all other changes are losses. */
const FORMS = ['type', 'pattern', 'format'] as const

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The listed values of a schema; undefined: it has no list. */
function valuesOf({ enum: listed, const: only }: Schema): unknown[] | undefined {
  if (Array.isArray(listed)) return listed
  return only === undefined ? undefined : [only]
}

function boundLosses({ before, now, at }: { before: Schema; now: Schema; at: string }): string[] {
  const tighter = (name: string, isTighter: (was: number, is: number) => boolean, none: number) => {
    const [was, is] = [Number(before[name] ?? none), Number(now[name] ?? none)]
    return isTighter(was, is) ? [`${at}: ${name} was ${before[name] ?? 'not set'} and is ${now[name]}`] : []
  }
  return [
    ...LOWER_BOUNDS.flatMap((name) => tighter(name, (was, is) => is > was, -Infinity)),
    ...UPPER_BOUNDS.flatMap((name) => tighter(name, (was, is) => is < was, Infinity)),
  ]
}

/** Whether each text that had the form still has it, because the new form only allows an ending more. */
const isWider = (before: unknown, now: unknown): boolean =>
  typeof before === 'string' &&
  typeof now === 'string' &&
  now.startsWith(before.slice(0, -1)) &&
  /^\([^()]*\)\?\$$/.test(now.slice(before.length - 1))

function formLosses(side: Side, { before, now, at }: { before: Schema; now: Schema; at: string }): string[] {
  return FORMS.filter((name) => {
    if (same(before[name], now[name]) || isWider(before[name], now[name])) return false
    return side === 'response' ? before[name] !== undefined : now[name] !== undefined
  }).map((name) => `${at}: ${name} was ${JSON.stringify(before[name])} and is ${JSON.stringify(now[name])}`)
}

/** Missing values. Further values of answers are additions, for example a new event type. */
function valueLosses(side: Side, { before, now, at }: { before: Schema; now: Schema; at: string }): string[] {
  const [earlier, present] = [valuesOf(before), valuesOf(now)]
  if (!earlier) return side === 'request' && present ? [`${at}: takes only listed values now`] : []
  if (!present) return side === 'response' ? [`${at}: has any value now`] : []
  const missing = earlier.filter((value) => !present.some((one) => same(one, value)))
  return missing.map((value) => `${at}: the value ${JSON.stringify(value)} is missing`)
}

function propertyLosses(
  comparison: Comparison,
  { before, now, at }: { before: Schema; now: Schema; at: string },
): string[] {
  const [earlier, present] = [before.properties ?? {}, now.properties ?? {}]
  const [needed, needs] = [listOf(before['required']), listOf(now['required'])]
  const isRequest = comparison.side === 'request'
  const wrong = isRequest
    ? needs.filter((name) => !needed.includes(name)).map((name) => `${at}.${name}: is required now`)
    : needed.filter((name) => !needs.includes(name)).map((name) => `${at}.${name}: may be absent now`)
  const fields = Object.entries(earlier).flatMap(([name, schema]) =>
    name in present
      ? compare(comparison, { before: schema, now: present[name], at: `${at}.${name}` })
      : [`${at}.${name}: is missing`],
  )
  return [...wrong, ...fields]
}

function innerLosses(
  comparison: Comparison,
  { before, now, at }: { before: Schema; now: Schema; at: string },
): string[] {
  const items = isObject(before['items'])
    ? compare(comparison, { before: before['items'], now: now['items'] ?? {}, at: `${at}[]` })
    : []
  const [earlier, present] = [before['additionalProperties'], now['additionalProperties']]
  if (isObject(earlier) && isObject(present))
    return [...items, ...compare(comparison, { before: earlier, now: present, at: `${at}.*` })]
  const isClosed = comparison.side === 'request' && present === false && earlier !== false
  return [...items, ...(isClosed ? [`${at}: takes no other fields now`] : [])]
}

const alternativesOf = (schema: Schema): unknown[] =>
  Array.isArray(schema['anyOf']) ? schema['anyOf'] : [schema]

/** Each earlier alternative must still exist; answers must not have new ones. */
function alternativeLosses(
  comparison: Comparison,
  { before, now, at }: { before: Schema; now: Schema; at: string },
): string[] {
  const [earlier, present] = [alternativesOf(before), alternativesOf(now)]
  const fits = (one: unknown, other: unknown) =>
    compare(comparison, { before: one, now: other, at }).length === 0
  const missing = earlier.filter((one) => !present.some((other) => fits(one, other)))
  const added =
    comparison.side === 'response' ? present.filter((other) => !earlier.some((one) => fits(one, other))) : []
  return [
    ...(missing.length > 0
      ? [`${at}: ${missing.length} of ${earlier.length} alternatives are missing or changed`]
      : []),
    ...(added.length > 0 ? [`${at}: answers have ${added.length} other alternatives`] : []),
  ]
}

const nameOf = (schema: unknown): string => (isObject(schema) ? String(schema['$ref'] ?? '') : '')

function compare(comparison: Comparison, pair: Pair): string[] {
  const { documents, side, open } = comparison
  const names = `${nameOf(pair.before)} ${nameOf(pair.now)}`
  if (names !== ' ' && open.has(names)) return []
  const inner = { ...comparison, open: new Set([...open, ...(names === ' ' ? [] : [names])]) }
  const before = resolved<Schema>(documents.before, (pair.before ?? {}) as Schema | Ref)
  const now = resolved<Schema>(documents.now, (pair.now ?? {}) as Schema | Ref)
  const both = { before, now, at: pair.at }
  if ('anyOf' in before || 'anyOf' in now) return alternativeLosses(inner, both)
  return [
    ...formLosses(side, both),
    ...valueLosses(side, both),
    ...(side === 'request' ? boundLosses(both) : []),
    ...propertyLosses(inner, both),
    ...innerLosses(inner, both),
  ]
}

/** One line for each difference that is not an addition. */
export const schemaLosses = (documents: Documents, side: Side, pair: Pair): string[] =>
  compare({ documents, side, open: new Set() }, pair)
