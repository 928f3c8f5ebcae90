// Bodies made from a route's schema: valid by the schema, unusual in content, so that they reach the rules behind it.
import fc from 'fast-check'
import { NOT_BLANK } from '../../contract/not-blank.ts'
import { SEARCH_OPERATORS } from '../../contract/operators.ts'
import { BulkRow } from '../../contract/records.ts'
import { ODD_JSON, ODD_TEXTS, SLUGS, VALUES_BY_SLUG } from './fuzz-pieces.ts'

/** The part of JSON Schema that the contract uses. */
interface BodySchema {
  type?: string
  const?: unknown
  anyOf?: BodySchema[]
  properties?: Record<string, BodySchema>
  required?: string[]
  patternProperties?: Record<string, BodySchema>
  items?: BodySchema
  pattern?: string
  minimum?: number
  maximum?: number
}

/** A piece of JSON text. */
type Piece = fc.Arbitrary<string>

// A placeholder of an id or cursor, which is chosen when the request is sent.
const placeholder = (nth: number) => `"{{known ${nth}}}"`
const PLACEHOLDER = /\{\{known (\d+)\}\}/g

/** @param pick returns the n-th known id or cursor */
export const fillIn = (text: string, pick: (nth: number) => string): string =>
  text.replace(PLACEHOLDER, (_, nth: string) => pick(Number(nth)))

const known: Piece = fc.nat(500).map(placeholder)
const texts = (...all: readonly string[]): Piece =>
  fc.constantFrom(...all).map((text) => JSON.stringify(text))
const slugs: Piece = fc.oneof(
  { weight: 5, arbitrary: texts(...Object.keys(VALUES_BY_SLUG)) },
  { weight: 1, arbitrary: texts(...SLUGS.slice(0, -1)) },
)

const value: Piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...Object.values(VALUES_BY_SLUG).flat()) },
  { weight: 2, arbitrary: known },
  { weight: 2, arbitrary: texts(...ODD_TEXTS) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_JSON.filter((text) => text.length < 100)) },
)

const listOf = (piece: Piece): Piece =>
  fc.array(piece, { minLength: 1, maxLength: 3 }).map((all) => `[${all.join(',')}]`)

/** A slug and a value, in most cases a plausible one for the slug. */
const pair: fc.Arbitrary<[slug: string, value: string]> = slugs.chain((slug) =>
  fc.tuple(
    fc.constant(slug),
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...(VALUES_BY_SLUG[JSON.parse(slug)] ?? ['"x"'])) },
      { weight: 1, arbitrary: value },
      { weight: 1, arbitrary: fc.constant('null') },
    ),
  ),
)

const filter: Piece = pair
  .chain(([slug, near]) => {
    const operand = fc.constant(near)
    const operands = fc.oneof(operand, operand, operand, listOf(operand), value, texts('true'))
    return fc.tuple(fc.constant(slug), texts(...SEARCH_OPERATORS), operands)
  })
  .map(([slug, operator, text]) => `{"attributeSlug":${slug},"operator":${operator},"value":${text}}`)

const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    filter,
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('tree'), { minLength: 1, maxLength: 3 }))
      .map(([group, members]) => `{"${group}":[${members.join(',')}]}`),
    tie('tree').map((member) => `{"not":${member}}`),
  ),
}))

/** Fields whose rules are stricter than their schema. */
const BY_NAME: Readonly<Record<string, Piece>> = {
  attributeSlug: slugs,
  operator: texts(...SEARCH_OPERATORS),
  value,
  filters: listOf(filter),
  field: slugs,
  matchOn: slugs,
  filter: tree,
  cursor: known,
  id: known,
  slug: slugs,
  get records() {
    return listOf(pieceOf(BulkRow as BodySchema))
  },
}

function object({ properties = {}, required = [] }: BodySchema): Piece {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const field = (BY_NAME[name] ?? pieceOf(schema)).map((text) => `${JSON.stringify(name)}:${text}`)
    return required.includes(name) ? field : fc.option(field, { nil: '', freq: 2 })
  })
  return fc.tuple(...fields).map((texts) => `{${texts.filter(Boolean).join(',')}}`)
}

const map: Piece = fc
  .array(pair, { maxLength: 4 })
  .map((entries) => `{${entries.map(([slug, text]) => `${slug}:${text}`).join(',')}}`)

function scalar({ type, pattern = '', minimum, maximum }: BodySchema): Piece {
  if (type === 'boolean') return fc.boolean().map(String)
  if (type === 'integer' || type === 'number')
    return fc.integer({ min: minimum ?? -5, max: Math.min(maximum ?? 1e6, 1e6) }).map(String)
  if (type === 'null') return fc.constant('null')
  if (pattern === NOT_BLANK) return texts(...ODD_TEXTS, 'Projects', 'Ada')
  if (pattern.includes('[0-9a-fA-F]{8}')) return known
  if (pattern.includes('\\d{4}'))
    return texts(
      '2026-11-20T10:00:00Z',
      '2026-02-30T10:00:00Z',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-23:59',
    )
  return pattern ? slugs : texts(...ODD_TEXTS, 'Projects', 'Ada')
}

/** JSON texts, most of them valid by the schema. */
export function pieceOf(schema: BodySchema): Piece {
  if (schema.const !== undefined) return fc.constant(JSON.stringify(schema.const))
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(pieceOf))
  if (schema.patternProperties) return map
  if (schema.type === 'object') return object(schema)
  if (schema.items) return listOf(pieceOf(schema.items))
  return schema.type ? scalar(schema) : value
}
