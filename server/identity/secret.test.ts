import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuthSecret } from './secret.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-secret-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('the configured secret wins, and nothing is written', async () => {
  const dataDir = join(folder, 'configured')
  expect(await readAuthSecret({ authSecret: 'given', dataDir })).toBe('given')
  await expect(stat(dataDir)).rejects.toThrow()
})

test('callers who start together get the same secret, readable by its owner only', async () => {
  const dataDir = join(folder, 'made')
  const config = { authSecret: undefined, dataDir }
  const secrets = await Promise.all(Array.from({ length: 20 }, () => readAuthSecret(config)))
  expect(new Set(secrets).size).toBe(1)
  expect(Buffer.from(secrets[0] ?? '', 'base64url')).toHaveLength(32)
  expect(await readAuthSecret(config)).toBe(secrets[0])
  expect(await readdir(dataDir)).toEqual(['auth-secret'])
  expect((await stat(join(dataDir, 'auth-secret'))).mode & 0o777).toBe(0o600)
})

test('an empty file is refused', async () => {
  await writeFile(join(folder, 'auth-secret'), '\n')
  await expect(readAuthSecret({ authSecret: undefined, dataDir: folder })).rejects.toThrow(/is empty/)
})
