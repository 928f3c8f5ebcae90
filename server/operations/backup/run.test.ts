import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { makeUnusedKeys } from './run.ts'

const root = await temporaryFolder('unused-keys')

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
