// Common rules for names and schemas of the API, checked for every route.
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { API } from './api.ts'
import { type ApiRoute, isBodyOptional, placeOf } from './route.ts'

interface Schema {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  minLength?: number
  minItems?: number
  pattern?: string
  description?: string
  properties?: Readonly<Record<string, Schema>>
  patternProperties?: Readonly<Record<string, Schema>>
  items?: Schema
  anyOf?: readonly Schema[]
}

interface Property {
  path: string
  name: string
  schema: Schema
  siblings: Readonly<Record<string, Schema>>
}

const ROUTES: [string, ApiRoute][] = API.flatMap(({ routes }) =>
  Object.values(routes).map((route: ApiRoute): [string, ApiRoute] => [route.at, route]),
)

function propertiesOf(schema: Schema, path = ''): Property[] {
  const { properties = {}, patternProperties = {}, items, anyOf = [] } = schema
  const own = Object.entries(properties).flatMap(([name, inner]) => {
    const here = path === '' ? name : `${path}.${name}`
    return [{ path: here, name, schema: inner, siblings: properties }, ...propertiesOf(inner, here)]
  })
  const others = [...Object.values(patternProperties), ...(items ? [items] : []), ...anyOf]
  return [...own, ...others.flatMap((one) => propertiesOf(one, path))]
}

const asSchema = (schema: TSchema | undefined) => (schema ?? {}) as Schema
const answersOf = ({ response }: ApiRoute): Schema[] => Object.values(response).map(asSchema)

const isBoolean = ({ type, const: value, anyOf }: Schema): boolean =>
  type === 'boolean' || typeof value === 'boolean' || (anyOf?.every(isBoolean) ?? false)

/** Names from the specification. */
const SPECIFIED = ['enabled', 'includeInactive']
/** Options of a request. They do not describe a resource, so they have no "is", as includeInactive above. */
const OPTIONS = [
  'allOrNone',
  'count',
  'createMissing',
  'dryRun',
  'includeHints',
  'includeInactive',
  'permanent',
  'revokeKeys',
]
/**
 * Settings in definitions of workflows and reports, jobs and attributes. Responses and files have these definitions
 * exactly as they were sent. With two names for one setting, a definition could contradict itself.
 */
const SETTINGS = [
  'allowReentry',
  'caseSensitive',
  'createMissing',
  'dryRun',
  'duplicateRules',
  'fill',
  'required',
]
/** Confirmations of an action; they are never false. */
const CONFIRMED = ['deleted']

/** Whether the property is a deprecated name of another field, which its description names. */
const isFormer = ({ schema: { description = '' }, siblings }: Property): boolean => {
  const [, present = ''] = /^Deprecated: use `?(is[A-Z]\w*)`?$/.exec(description) ?? []
  return present in siblings
}

const isNamedAsState = ({ name }: Property) => /^(is|has|are)[A-Z]/.test(name)

describe.each(ROUTES)('%s', (at, route) => {
  const requested = [...propertiesOf(asSchema(route.query)), ...propertiesOf(asSchema(route.body))]
  const answered = answersOf(route).flatMap((schema) => propertiesOf(schema))

  test('boolean fields are named isX', () => {
    const wrong = (properties: Property[], others: readonly string[]) =>
      properties
        .filter(({ schema }) => isBoolean(schema))
        .filter((one) => !isNamedAsState(one) && !isFormer(one) && !others.includes(one.name))
        .map(({ path }) => path)
    expect(wrong(requested, [...SPECIFIED, ...OPTIONS, ...SETTINGS])).toEqual([])
    expect(wrong(answered, [...SPECIFIED, ...SETTINGS, ...CONFIRMED])).toEqual([])
  })

  test('requests accept members by id or email', () => {
    const named = requested.filter(({ name }) => /^(assignee|createdBy|owner)$/.test(name))
    for (const { schema } of named)
      for (const { type, pattern, minLength } of schema.anyOf ?? [schema])
        if (type === 'string') expect([pattern, minLength]).toEqual([undefined, 1])
  })

  test('only trash lists return deletedAt, and no path has a part /trash', () => {
    const isOfTrash = at.includes('/trashed-')
    expect(placeOf(route).path).not.toMatch(/\/trash\b/)
    expect(answered.some(({ name }) => name === 'deletedAt')).toBe(isOfTrash && at.startsWith('GET '))
  })
})

/** Routes that write. Routes that only read are left out, because their body is not a resource. */
const WRITING = ROUTES.filter(([, { body, scope }]) => body !== undefined && !scope.endsWith(':read'))

test.each(WRITING)('%s: null clears fields that may be empty', (_, route) => {
  const shown = answersOf(route).flatMap(({ properties = {} }) => Object.keys(properties))
  const isChoice = ({ const: value, enum: choices }: Schema) => value !== undefined || choices !== undefined
  const mayBeEmpty = (schema: Schema) =>
    (schema.type === 'string' && !schema.minLength && !schema.pattern && !isChoice(schema)) ||
    (schema.type === 'array' && !schema.minItems)
  const { properties = {} } = asSchema(route.body)
  const wrong = Object.entries(properties).filter(([name, schema]) => {
    const kinds = schema.anyOf ?? [schema]
    return shown.includes(name) && kinds.some(mayBeEmpty) && !kinds.some(({ type }) => type === 'null')
  })
  expect(wrong.map(([name]) => name)).toEqual([])
})

/** `POST /objects/:objectId/trashed-records/:id` → method, kind and the rest of the path. */
const TRASH = /^(\w+) (?:\/objects\/:objectId)?\/trashed-(\w+)(.*)$/

const inTrash = ROUTES.flatMap(([at, route]) => {
  const [, method = '', kind = '', rest = ''] = TRASH.exec(at) ?? []
  return kind === '' ? [] : [{ kind, route, place: `${method} ${rest.replace(/:\w+/, ':id')}`.trim() }]
})
const KINDS = [...Map.groupBy(inTrash, ({ kind }) => kind)]

describe.each(KINDS)('the trash of %s', (kind, routes) => {
  const at = (place: string) => routes.find((one) => one.place === place)?.route
  const fieldsIn = (name: string) =>
    answersOf(at('GET') as ApiRoute).flatMap((schema) =>
      propertiesOf(schema).filter((one) => one.path === `${kind}.${name}`),
    )

  test('has routes to list, restore and delete', () => {
    expect(routes.map(({ place }) => place)).toEqual(
      expect.arrayContaining(['GET', 'POST /:id/restore', 'DELETE /:id']),
    )
    for (const { route } of routes) expect(Object.keys(route.response)).toEqual(['200'])
    const restore = at('POST /:id/restore') as ApiRoute
    expect(restore.body === undefined || isBodyOptional(restore)).toBe(true)
    const { properties = {} } = asSchema(at('DELETE /:id')?.response[200])
    expect(Object.keys(properties)).toEqual(['id', 'deleted'])
  })

  test('lists deletedAt, deletedBy and purgeAt with the same schemas as other trashes', () => {
    const shapeOf = ({ schema }: Property) => JSON.stringify(schema)
    const first = KINDS[0]?.[0] ?? ''
    for (const name of ['deletedAt', 'deletedBy', 'purgeAt']) {
      expect(fieldsIn(name), name).toHaveLength(1)
      const ofFirst = inTrash.find((one) => one.kind === first && one.place === 'GET')
      const expected = answersOf(ofFirst?.route as ApiRoute).flatMap((schema) =>
        propertiesOf(schema).filter(({ path }) => path === `${first}.${name}`),
      )
      expect(fieldsIn(name).map(shapeOf)).toEqual(expected.map(shapeOf))
    }
  })
})

test('there is a trash of records, activities, comments, files, attributes and objects', () => {
  expect(KINDS.map(([kind]) => kind).toSorted()).toEqual([
    'activities',
    'attachments',
    'attributes',
    'comments',
    'objects',
    'records',
  ])
})

/** Scopes without a readScope: records/read/shown-record.ts filters records, and uploads return no stored data. */
const ANSWERS_ITSELF = /^records:write$|^files:write$/

test.each(ROUTES)('%s has the matching readScope if it writes and returns data', (_, route) => {
  const { scope, readScope } = route
  const isDeletion = route.at.startsWith('DELETE ')
  if (!scope.endsWith(':write') || isDeletion || ANSWERS_ITSELF.test(scope))
    return expect(readScope).toBeUndefined()
  expect(readScope).toBe(scope.replace(':write', ':read'))
})
