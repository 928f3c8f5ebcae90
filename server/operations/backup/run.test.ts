import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { makeUnusedKeys } from './run.ts'

const root = await mkdtemp(join(tmpdir(), 'rapport-unused-keys-'))
afterAll(() => rm(root, { recursive: true }))

const answering = (query: () => Promise<{ rows: unknown[] }>) =>
  ({ query }) as unknown as Pick<Client, 'query'>

async function madeWith(query: () => Promise<{ rows: unknown[] }>): Promise<string[]> {
  const dataDir = await mkdtemp(join(root, 'data-'))
  const settings = { authSecret: undefined, secretsKeys: undefined, databaseUrl: undefined }
  await makeUnusedKeys(answering(query), { ...settings, dataDir })
  return (await readdir(dataDir)).sort()
}

test('a backup command makes missing keys if no secret is encrypted', async () => {
  expect(await madeWith(async () => ({ rows: [] }))).toEqual(['auth-secret', 'secrets-key'])
})

test('a backup command makes missing keys in a database of an earlier version without the tables', async () => {
  const missing = Object.assign(new Error('relation does not exist'), { code: '42P01' })
  expect(await madeWith(() => Promise.reject(missing))).toEqual(['auth-secret', 'secrets-key'])
})

test('a backup command makes no key in place of a missing one that encrypted secrets', async () => {
  const sealed = { org: 1, id: 'a', sealed: Buffer.alloc(64, 1) }
  expect(await madeWith(async () => ({ rows: [sealed] }))).toEqual([])
})
