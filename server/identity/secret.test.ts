import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
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
  expect(readAuthSecret({ authSecret: 'given', dataDir })).toBe('given')
  await expect(stat(dataDir)).rejects.toThrow()
})

test('without one, one of 32 bytes is made and stays', async () => {
  const config = { authSecret: undefined, dataDir: join(folder, 'made') }
  const secret = readAuthSecret(config)
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect(readAuthSecret(config)).toBe(secret)
  expect(await readdir(config.dataDir)).toEqual(['auth-secret'])
})
