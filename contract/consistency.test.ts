// Rules that names and shapes of the API have in common, held against every route.
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

/** The specification's. */
const SPECIFIED = ['enabled', 'includeInactive']
/** Of a request, not of a thing: what it does besides. As the specification's includeInactive they are no statements. */
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
 * Settings in the definitions of workflows and reports, which are documents: files have them as answers do, and go back
 * as they came. Those of jobs and attributes are shown as they were sent too. With two names for one setting, they could contradict themselves.
 */
const SETTINGS = ['allowReentry', 'caseSensitive', 'createMissing', 'duplicateRules', 'fill', 'required']
/** Confirms what was done, and is never false. */
const CONFIRMED = ['deleted']

/** A former name of another field, which it names. */
const isFormer = ({ schema: { description = '' }, siblings }: Property): boolean => {
  const [, present = ''] = /^Deprecated: use `?(is[A-Z]\w*)`?$/.exec(description) ?? []
  return present in siblings
}

const isNamedAsState = ({ name }: Property) => /^(is|has|are)[A-Z]/.test(name)

describe.each(ROUTES)('%s', (at, route) => {
  const requested = [...propertiesOf(asSchema(route.query)), ...propertiesOf(asSchema(route.body))]
  const answered = answersOf(route).flatMap((schema) => propertiesOf(schema))

  test('what is true or false is named isX', () => {
    const wrong = (properties: Property[], others: readonly string[]) =>
      properties
        .filter(({ schema }) => isBoolean(schema))
        .filter((one) => !isNamedAsState(one) && !isFormer(one) && !others.includes(one.name))
        .map(({ path }) => path)
    expect(wrong(requested, [...SPECIFIED, ...OPTIONS, ...SETTINGS])).toEqual([])
    expect(wrong(answered, [...SPECIFIED, ...SETTINGS, ...CONFIRMED])).toEqual([])
  })

  test('members are named by id or email', () => {
    const named = requested.filter(({ name }) => /^(assignee|createdBy|owner)$/.test(name))
    for (const { schema } of named)
      for (const { type, pattern, minLength } of schema.anyOf ?? [schema])
        if (type === 'string') expect([pattern, minLength]).toEqual([undefined, 1])
  })

  test('what is deleted and kept is in the trash of its kind', () => {
    const isOfTrash = at.includes('/trashed-')
    expect(placeOf(route).path).not.toMatch(/\/trash\b/)
    expect(answered.some(({ name }) => name === 'deletedAt')).toBe(isOfTrash && at.startsWith('GET '))
  })
})

/** What is searched for is no field of anything. */
const WRITING = ROUTES.filter(([, { body, scope }]) => body !== undefined && !scope.endsWith(':read'))

test.each(WRITING)('%s: null clears what may be empty', (_, route) => {
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

/** `POST /objects/:objectId/trashed-records` → its kind, and what follows. */
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

  test('is listed, restored from and emptied in one form', () => {
    expect(routes.map(({ place }) => place)).toEqual(
      expect.arrayContaining(['GET', 'POST /:id/restore', 'DELETE /:id']),
    )
    for (const { route } of routes) expect(Object.keys(route.response)).toEqual(['200'])
    const restore = at('POST /:id/restore') as ApiRoute
    expect(restore.body === undefined || isBodyOptional(restore)).toBe(true)
    const { properties = {} } = asSchema(at('DELETE /:id')?.response[200])
    expect(Object.keys(properties)).toEqual(['id', 'deleted'])
  })

  test('says of each when it was deleted, by whom, and when it is deleted for good', () => {
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

/** Their answers hold records, of which records/read/shown-record.ts leaves out what may not be read, or nothing that was read. */
const ANSWERS_ITSELF = /^records:write$|^files:write$/

test.each(ROUTES)('%s says which scope reads what it answers, if it writes', (_, route) => {
  const { scope, readScope } = route
  const isDeletion = route.at.startsWith('DELETE ')
  if (!scope.endsWith(':write') || isDeletion || ANSWERS_ITSELF.test(scope))
    return expect(readScope).toBeUndefined()
  expect(readScope).toBe(scope.replace(':write', ':read'))
})
