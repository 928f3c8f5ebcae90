// What a key without the scope that reads gets of what it wrote, as a schema: http/written.ts makes such answers.
import type { ApiRoute } from '../../../contract/route.ts'
import type { Schema } from './document.ts'

type Properties = Record<string, Schema>

const hasProperties = (schema: Schema): boolean =>
  schema.properties !== undefined ||
  (Array.isArray(schema['anyOf']) && (schema['anyOf'] as Schema[]).some(hasProperties))

const ANNOTATIONS: ReadonlySet<string> = new Set(['description', 'default', 'examples'])

/** What a schema allows, without what it says about it. */
const ruleOf = (schema: Schema): string =>
  JSON.stringify(schema, (keyword, value: unknown) => (ANNOTATIONS.has(keyword) ? undefined : value))

/** As it is answered or as it is sent. */
function either(answered: Schema, sent: Schema | undefined): Schema {
  if (sent === undefined || ruleOf(sent) === ruleOf(answered)) return answered
  return ruleOf(sent) === '{}' ? sent : { anyOf: [answered, sent] }
}

/** All fields of it may be left out, but for its id. */
function partial(schema: Schema, sent: Properties): Schema {
  const { properties, anyOf } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: anyOf.map((one: Schema) => partial(one, {})) }
  if (!properties) return schema
  const fields = Object.entries(properties).map(([name, inner]) => [
    name,
    either(hasProperties(inner) ? partial(inner, {}) : inner, sent[name]),
  ])
  return {
    type: 'object',
    additionalProperties: false,
    ...('id' in properties && { required: ['id'] }),
    properties: Object.fromEntries(fields),
  }
}

/** The answer of a route that writes: the whole resource, or what a key that does not read gets of it. */
export function answerSchema({ readScope, body }: ApiRoute, answer: Schema): Schema {
  if (readScope === undefined) return answer
  const { properties = {} } = (body ?? {}) as Schema
  const written = {
    ...partial(answer, properties),
    description: `Without the scope \`${readScope}\`: ids, version and times, and the fields that were sent, as they were sent`,
  }
  return { anyOf: [answer, written] }
}
