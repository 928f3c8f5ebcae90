// Bodies of the maximum size of a route, each of which is the worst case for one part of the service.

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  anyOf?: readonly Schema[]
  items?: Schema
  const?: unknown
  pattern?: string
  minItems?: number
  minLength?: number
  minimum?: number
}

/** Approximately the smallest value that a schema accepts, because invalid values are refused early. */
function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0])
  if (schema.type === 'array')
    return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items ?? {}))
  if (schema.type === 'object')
    return Object.fromEntries(
      (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]),
    )
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.pattern?.startsWith('^[0-9a-f')) return '0198c0de-0000-7000-8000-000000000001'
  return 'a'.repeat(Math.max(1, schema.minLength ?? 1))
}

const repeated = (piece: string, chars: number) =>
  Array.from({ length: Math.floor(chars / (piece.length + 1)) }, () => piece).join(',')

const fieldsOf = (count: number, value: string) =>
  `{${Array.from({ length: count }, (_, index) => `"field_${index}":${value}`).join(',')}}`

/** Values of about `chars` characters, as JSON. */
const WORST: Readonly<Record<string, (chars: number) => string>> = {
  'small objects': (chars) => `[${repeated('{"a":1,"b":2,"c":3}', chars)}]`,
  'short texts': (chars) => `[${repeated('"ab,cd"', chars)}]`,
  'one long text': (chars) => `"${'a b'.repeat(Math.floor(Math.min(chars, 1_900_000) / 3))}"`,
  'a text of escapes': (chars) => `"${'\\u00e9'.repeat(Math.floor(Math.min(chars, 1_900_000) / 6))}"`,
  'long numbers': (chars) => `[${repeated('12345678901234567890.12345', chars)}]`,
  'objects of 900 fields': (chars) => `[${repeated(fieldsOf(900, '1'), chars)}]`,
  'one object of 900 arrays': (chars) =>
    fieldsOf(900, `[${repeated('"abcdefgh"', Math.floor(chars / 900) - 20)}]`),
  'deep objects': (chars) => `[${repeated(`${'{"and":['.repeat(60)}1${']}'.repeat(60)}`, chars)}]`,
}

export interface WorstBody {
  name: string
  text: string
}

/** The slowest kind to parse, and the kind with the most faults. The other kinds differ only where rows are read. */
const USUAL = ['small objects', 'long numbers']
const ROWS = ['records', 'ids']

/** @param schema of the body; undefined: the route accepts no body */
export function* worstBodies(schema: Schema | undefined, limit: number): Generator<WorstBody> {
  const chars = limit - 2048
  const [first, ...others] = Object.keys(schema?.properties ?? {})
  const targets = [first ?? 'unknown', ...others.filter((name) => ROWS.includes(name)), 'unknown']
  const sample = (schema ? sampleOf(schema) : {}) as Record<string, unknown>
  for (const target of new Set(targets))
    for (const [kind, make] of Object.entries(WORST)) {
      if (!ROWS.includes(target) && !USUAL.includes(kind)) continue
      const rest = JSON.stringify({ ...sample, [target]: undefined }).slice(1, -1)
      const text = `{"${target}":${make(chars)}${rest === '' ? '' : `,${rest}`}}`
      yield { name: `${target}: ${kind}`, text }
    }
}
