// Builds serializers from response schemas, each when a route first sends that response.
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'

type Serializer = (data: unknown) => string

/** The API, the dashboard and the portal register the same routes, so they share serializers. */
const built = new WeakMap<TSchema, Serializer>()

function build(schema: TSchema): Serializer {
  const serializer = fastJsonStringify(schema)
  built.set(schema, serializer)
  return serializer
}

// Most routes of a process are never called: building 600 serializers at the start took 17 MB and a second.
export const compileSerializer: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  let serializer: Serializer | undefined
  return (data) => {
    serializer ??= built.get(schema) ?? build(schema)
    return serializer(data)
  }
}
