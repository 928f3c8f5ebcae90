// The API document is complete, agrees with the route table, and passes a public ruleset.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { API } from '../../contract/api.ts'
import { ERROR_STATUS } from '../../contract/errors.ts'
import { EVENT_TYPES } from '../../contract/events.ts'
import { placeOf } from '../../contract/route.ts'
import { SCOPES } from '../../contract/scopes.ts'
import type { OperationObject, Parameter, Schema } from '../http/openapi/document.ts'
import { GUIDES } from '../http/openapi/introduction.ts'
import { DOCUMENT_PATH } from '../http/openapi.ts'
import { operationOf, readDocument, resolved } from './api-document.ts'
import { apiRoutes, needsScope } from './api-routes.ts'
import { guideText } from './guides/blocks.ts'
import { sharedTestService } from './shared-service.ts'

const service = await sharedTestService()
const document = await readDocument(service)
const routes = apiRoutes(service.routes)
const operations: OperationObject[] = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods),
)

const declared = API.flatMap(({ routes: own }) => Object.values(own))

/** Routes that accept the header of a change set. */
const IN_SETS = [
  /^(?:POST|PATCH|PUT|DELETE) \/objects\/:objectId\/records(?:\/bulk|\/merge|\/:recordId|\/by\/:slug\/:value)?$/,
  /^(?:POST|PATCH|DELETE) \/activities(?:\/:activityId)?$/,
  /^POST \/objects\/:objectId\/records\/:recordId\/comments$/,
  /^(?:PATCH|DELETE) \/comments\/:commentId$/,
  /^POST \/objects\/:objectId\/trashed-records\/:recordId\/restore$/,
  /^(?:POST|PATCH|DELETE) \/(?:objects\/:objectId\/records\/:recordId|activities\/:activityId)\/attachments(?:\/:attachmentId)?$/,
  /^POST \/trashed-(?:activities|comments|attachments)\/:\w+\/restore$/,
]

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** @returns the output of Redocly CLI */
async function lint(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-openapi-'))
  const file = join(folder, 'openapi.json')
  await writeFile(file, text)
  const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
  const args = [redocly, 'lint', '--config', join(root, 'redocly.yaml'), '--format', 'json', file]
  // Redocly must not send usage data, look for updates or write to the home folder.
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', HOME: folder }
  try {
    const { stdout } = await run(process.execPath, args, { env: quiet, cwd: folder })
    return stdout
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? String(error)
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface LintReport {
  totals: { errors: number; warnings: number; ignored: number }
  problems: { ruleId: string; message: string; location: { pointer?: string }[] }[]
}

describe('the API document', () => {
  test('passes the strict ruleset of Redocly CLI', async () => {
    const { totals, problems } = JSON.parse(await lint(JSON.stringify(document))) as LintReport
    const faults = problems.map(
      ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`,
    )
    expect(faults).toEqual([])
    expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
  })

  test('fails the lint if it is broken', async () => {
    const [first] = Object.values(document.paths)
    const broken = {
      ...document,
      paths: { '/api/v1/broken': { get: { ...first?.['get'], operationId: 'a b' } } },
    }
    const { totals } = JSON.parse(await lint(JSON.stringify(broken))) as LintReport
    expect(totals.errors).toBeGreaterThan(0)
  })

  test('is the same text on every request, and needs no key', async () => {
    const [one, two] = [
      await service.inject({ url: DOCUMENT_PATH }),
      await service.inject({ url: DOCUMENT_PATH }),
    ]
    expect(one.statusCode).toBe(200)
    expect(one.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(two.payload).toBe(one.payload)
    expect(document.openapi).toBe('3.1.0')
  })

  test('lists exactly one operation for every route', () => {
    expect(declared.map(({ at }) => at).toSorted()).toEqual(routes.map(({ key }) => key).toSorted())
  })

  test('names its tags and paths in the order of the specification', () => {
    const listed = declared.map((route) => placeOf(route).path)
    const paths = Object.keys(document.paths).map((path) =>
      path.slice('/api/v1'.length).replace(/{(\w+)}/g, ':$1'),
    )
    expect(paths).toEqual([...new Set(listed)])
    expect(document.tags.map(({ name }) => name)).toEqual(API.map(({ tag }) => tag))
  })

  test('names every scope', () => {
    for (const scope of Object.keys(SCOPES)) expect(document.info['description']).toContain(scope)
  })

  test('contains the guides, without broken links', () => {
    const description = String(document.info['description'])
    for (const guide of GUIDES)
      for (const [, heading] of guideText(guide).matchAll(/^#+ (.+)$/gm))
        expect(description).toContain(heading)
    expect([...description.matchAll(/\]\((?!https?:)[^)]*\)/g)].map(([link]) => link)).toEqual([])
  })

  test('shows the verification of webhooks in three languages', () => {
    const description = String(document.info['description'])
    for (const text of ['timingSafeEqual', 'compare_digest', 'openssl dgst -sha256'])
      expect(description).toContain(text)
  })

  test('has a webhook for each of the eight event types, with its body and signature', () => {
    expect(Object.keys(document.webhooks)).toEqual(Object.keys(EVENT_TYPES))
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const parameters = (post?.parameters ?? []).map((one) => resolved<Parameter>(document, one))
      expect(parameters.map(({ name }) => name)).toEqual([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ])
      const media = post?.requestBody?.content['application/json']
      const { properties } = resolved<Schema>(document, media?.schema as Schema)
      expect(properties?.['type']).toMatchObject({ const: type })
      expect(media?.example).toMatchObject({ type })
    }
  })

  test('makes fields with a default optional in requests and required in responses', () => {
    const { schemas } = document.components
    expect(schemas['NewAttribute']?.properties?.['isRequired']).toEqual({
      type: 'boolean',
      description: 'Defaults to `false`',
    })
    const { parameters } = schemas['WorkflowDefinition']?.properties ?? {}
    expect(parameters?.['items']).toMatchObject({ required: expect.arrayContaining(['required']) })
  })

  test('describes filters in full wherever records are searched', () => {
    const open = Object.entries(document.components.schemas).filter(
      ([, { properties }]) => properties?.['filter'] && !properties['filter'].$ref?.endsWith('/FilterTree'),
    )
    expect(open.map(([name]) => name)).toEqual([])
    expect(document.components.schemas['FilterTree']?.['anyOf']).toHaveLength(5)
  })

  test('refers to named schemas and does not copy them', () => {
    const { schemas } = document.components
    const copies = Object.entries(schemas).flatMap(([name, schema]) => {
      const text = JSON.stringify(schema)
      return JSON.stringify(document).split(text).length > 2 ? [name] : []
    })
    expect(copies).toEqual([])
  })

  test('gives every operation a unique id', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe.each(routes)('$key', (route) => {
  const operation = operationOf(document, route)
  const parameters = (operation?.parameters ?? []).map((one) => resolved<Parameter>(document, one))
  const names = (kind: Parameter['in']) => parameters.filter((one) => one.in === kind).map(({ name }) => name)
  const statuses = Object.keys(operation?.responses ?? {}).map(Number)
  const read = route.method === 'GET' ? operation?.responses['200'] : undefined
  const isConditional = read !== undefined && 'headers' in read && 'ETag' in (read.headers ?? {})

  test('has a description with the required scope', () => {
    const [scope, words] = needsScope(route) ? [route.scope, `\`${route.scope}\``] : [undefined, 'every key']
    expect(operation?.['x-required-scope']).toBe(scope)
    expect(operation?.description).toContain(words)
    expect(operation?.tags).toHaveLength(1)
    expect(operation?.security).toEqual([{ apiKey: [] }])
  })

  test('has every parameter and header', () => {
    expect(names('path')).toEqual([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name))
    expect(names('header')).toEqual([
      ...(route.errors.includes('precondition_failed') ? ['If-Match'] : []),
      ...(isConditional ? ['If-None-Match'] : []),
      ...(IN_SETS.some((routes) => routes.test(route.key)) ? ['Rapport-Change-Set'] : []),
      ...Object.keys(route.media?.headers ?? {}),
      ...(route.method === 'GET' || route.media ? [] : ['Idempotency-Key']),
      ...(names('query').includes('consistency') ? ['X-Write-Position'] : []),
      'X-Request-Id',
    ])
    for (const { description } of parameters) expect(description).toEqual(expect.stringMatching(/\w{3}/))
  })

  test('has its body and answer, each with a named schema and an example', () => {
    expect(operation?.requestBody !== undefined).toBe(route.hasBody || route.media?.body !== undefined)
    const success = Object.entries(operation?.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1]
    const answer = success && 'content' in success ? success.content : undefined
    const json = route.media?.response === undefined ? [answer] : []
    for (const content of [...json, ...(route.hasBody ? [operation?.requestBody?.content] : [])]) {
      const media = content?.['application/json']
      // A second schema is for keys that may not read: it has a part of the first.
      const [named] = (media?.schema['anyOf'] ?? [media?.schema]) as Schema[]
      expect(named?.$ref).toMatch(/^#\/components\/schemas\/[A-Z]\w+$/)
      expect(media?.example).toBeDefined()
    }
  })

  test('has an example of each body and answer that is not JSON', () => {
    const { body = [], response = [] } = route.media ?? {}
    const success = operation?.responses['200']
    const answered = success && 'content' in success ? success.content : undefined
    for (const type of body)
      expect(operation?.requestBody?.content[type]?.example).toEqual(expect.any(String))
    for (const type of response) expect(answered?.[type]?.example).toEqual(expect.any(String))
  })

  test('has every possible error', () => {
    const own = route.errors.map((code) => ERROR_STATUS[code])
    // A file is not stored for an Idempotency-Key, so it has no conflict.
    const ofMutations = route.method === 'GET' ? [] : [...(route.media?.response ? [] : [409]), 413, 415]
    expect(statuses).toEqual(expect.arrayContaining([400, 401, 403, 429, 500, 503, ...own, ...ofMutations]))
    expect(statuses.includes(404)).toBe(route.path.includes(':'))
    expect(statuses.includes(304)).toBe(isConditional)
  })
})
