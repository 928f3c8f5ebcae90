// One key sends many concurrent large bodies to a process with a small heap. Without limits they exhausted the heap.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { buildOrganization } from '../identity/api-keys/organization.fixture.ts'
import { createKey } from '../identity/api-keys/service.ts'
import { CHILD_ENVIRONMENT } from './child-environment.ts'
import { createTestDatabase, testDatabaseUrl } from './database.ts'
import { temporaryFolder } from './temporary-folder.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
const HEAP_MIB = 320
const BODIES = 60

const { pool, connection } = await createTestDatabase()
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(): Promise<{ address: string; child: ChildProcess }> {
  const folder = await temporaryFolder('bodies')
  const settings = {
    PORT: '0',
    ROLE: 'api',
    DATA_DIR: folder,
    DATABASE_URL: testDatabaseUrl(connection.database),
  }
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, MAIN], {
    env: { ...CHILD_ENVIRONMENT, LOG_LEVEL: 'silent', ...settings },
  })
  closing.push(async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  })
  let output = ''
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk)
    const [, address] = /running at\s+(http:\S+)/.exec(output) ?? []
    if (address) return { address, child }
  }
  throw new Error(`The service did not start: ${output}`)
}

async function buildKey(): Promise<string> {
  const { org, ownerId: createdBy } = await buildOrganization(pool)
  const config = { keyBounds: { rate: 1_000_000, organizationRate: 1_000_000, count: 100 } }
  const { key } = await createKey({ directory: pool, clock: { now: () => new Date() }, config }, org, {
    name: 'attack',
    scopes: null,
    createdBy,
  })
  return key
}

/** 100 rows with many small values: the parsed body needs several times its bytes. */
const BODY = JSON.stringify({
  records: Array.from({ length: 100 }, () => ({ data: { tags: Array.from({ length: 9000 }, () => 'ab') } })),
}).padEnd(7_500_000)

interface Answer {
  status: number
  retryAfter: string | undefined
}

/**
 * @returns undefined if the connection was closed while the body was sent: a refused body is read only for a short
 * time, so a client without processor time may lose its response
 */
async function send(address: string, key: string): Promise<Answer | undefined> {
  const outgoing = request(`${address}/api/v1/objects/companies/records/bulk`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(BODY),
    },
  })
  outgoing.on('error', () => undefined)
  outgoing.end(BODY)
  const [response] = await once(outgoing, 'response').catch(() => [])
  if (response === undefined) return
  await json(response)
  return { status: response.statusCode, retryAfter: response.headers['retry-after'] }
}

test(`${BODIES} concurrent bulk bodies are answered or refused, and do not end the process`, async () => {
  const [{ address, child }, key] = [await start(), await buildKey()]
  const sent = await Promise.all(Array.from({ length: BODIES }, () => send(address, key)))
  const answers = sent.filter((answer) => answer !== undefined)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]))
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  expect(child.exitCode).toBeNull()
})
