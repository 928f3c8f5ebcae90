// The messages for violations of every rule in every schema of requests.
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { NOT_BLANK, NOT_BLANK_AS_SENT } from '../../contract/not-blank.ts'
import { shapeCheck } from '../http/validate.ts'
import { sharedTestService } from './shared-service.ts'

interface Schema {
  type?: string
  const?: unknown
  pattern?: string
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minimum?: number
  maximum?: number
  required?: readonly string[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
}

const service = await sharedTestService()

const inside = ({ properties = {}, items, anyOf = [], patternProperties = {} }: Schema): Schema[] => [
  ...Object.values(properties),
  ...Object.values(patternProperties),
  ...(items ? [items] : []),
  ...anyOf,
]

function* nodesOf(schema: Schema): Generator<Schema> {
  yield schema
  for (const one of inside(schema)) yield* nodesOf(one)
}

const schemas = service.routes.flatMap(({ schema }) => [schema?.body, schema?.querystring] as Schema[])
const nodes = new Map(
  schemas
    .filter((schema) => schema !== undefined)
    .flatMap((schema) => [...nodesOf(schema)])
    .map((node) => [JSON.stringify(node), node]),
)

/** Values that each break one rule, with the name of the rule and its limit. */
function* violations(node: Schema): Generator<[rule: string, value: unknown, number?: number]> {
  const { type, minLength, maxLength, minItems, maxItems, minimum, maximum } = node
  if (type !== undefined) yield ['type', type === 'object' ? 5 : {}]
  if (node.pattern !== undefined) yield ['pattern', '§ § §']
  if (minLength) yield ['minLength', 'x'.repeat(minLength - 1), minLength]
  if (maxLength !== undefined) yield ['maxLength', 'x'.repeat(maxLength + 1), maxLength]
  if (minItems) yield ['minItems', Array(minItems - 1).fill('x'), minItems]
  if (maxItems !== undefined) yield ['maxItems', Array(maxItems + 1).fill('x'), maxItems]
  if (node.uniqueItems) yield ['uniqueItems', ['x', 'x']]
  if (minimum !== undefined) yield ['minimum', minimum - 1, minimum]
  if (maximum !== undefined && maximum < 1e15) yield ['maximum', maximum + 1, maximum]
  if (node.required) yield ['required', {}]
  if (node.additionalProperties === false) yield ['unknown_field', { zzz: 1 }]
  // A filter is an object with any fields: its rules are not in this schema.
  const isOpen = node.anyOf?.some((one) => one.additionalProperties === true)
  if (node.anyOf && !isOpen) yield ['anyOf', { zzz: { zzz: 1 } }]
}

const cases = [...nodes.values()].flatMap((node) => [...violations(node)].map((broken) => ({ node, broken })))

/** The schema without rules for elements: their problems would displace the problem of the rule. */
const withoutItems = ({ items, ...node }: Schema, rule: string): Schema =>
  items && !/Items$/.test(rule) ? { ...node, items } : node

const PATTERN_SIGNS = /\\[a-z]|\[[^\]"]*-[^\]"]*\]|\(\?|[\^$]|\{\d+(,\d*)?\}/i

describe('each message', () => {
  test('has a case for each of more than 400 rules', () => expect(cases.length).toBeGreaterThan(400))

  test('is a sentence that names the limit and shows no pattern', () => {
    const faulty = cases.flatMap<object>(({ node, broken: [rule, value, limit] }) => {
      const problems = shapeCheck(withoutItems(node, rule) as TSchema)(value)
      // The value matches the patterns for not blank texts, and so breaks no rule.
      if (problems.length === 0)
        return rule === 'pattern' && [NOT_BLANK, NOT_BLANK_AS_SENT].includes(node.pattern ?? '')
          ? []
          : [{ rule, node, said: 'nothing' }]
      const own = problems.filter(({ code }) => code === rule)
      const limits =
        limit === undefined ||
        own.some(
          ({ message }) =>
            message.includes(limit === 1 ? 'one' : String(limit)) || message.includes(String(limit)),
        )
      const isWorded = problems.every(
        ({ message }) =>
          /^(must|is|has) /.test(message) &&
          !PATTERN_SIGNS.test(message.replaceAll(/"[^"]*"/g, '')) &&
          !/schema|constant|pattern/.test(message),
      )
      return limits && isWorded ? [] : [{ rule, said: problems.map(({ message }) => message) }]
    })
    expect(faulty.slice(0, 10)).toEqual([])
  })

  test('for a pattern gives an example', () => {
    const without = [...nodes.values()]
      .filter(({ pattern }) => pattern !== undefined && pattern !== NOT_BLANK)
      .filter(
        (node) => !shapeCheck(node as TSchema)('§ § §').every(({ message }) => message.includes('such as')),
      )
    expect(without).toEqual([])
  })
})
