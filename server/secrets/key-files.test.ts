import { mkdir, mkdtemp, readdir, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../test/temporary-folder.ts'
import {
  ensureKeyFiles,
  findKeyFault,
  KEY_FILES,
  type KeySettings,
  lackingKeys,
  prepareKeyFiles,
  readAuthSecret,
  readSecretsKeys,
} from './key-files.ts'

const folder = await temporaryFolder('secret')

const UNSET = { authSecret: undefined, secretsKeys: undefined, databaseUrl: undefined }

test('a configured secret is used, and no file is written', async () => {
  const dataDir = join(folder, 'configured')
  expect(readAuthSecret({ authSecret: 'given', dataDir })).toBe('given')
  const secretsKeys = [Buffer.alloc(32, 1)]
  expect(readSecretsKeys({ secretsKeys, dataDir })).toBe(secretsKeys)
  ensureKeyFiles({ ...UNSET, authSecret: 'given', secretsKeys, dataDir })
  await expect(stat(dataDir)).rejects.toThrow()
})

test('without a configured secret, one of 32 bytes is created and kept', async () => {
  const config = { authSecret: undefined, dataDir: join(folder, 'made') }
  const secret = readAuthSecret(config)
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect(readAuthSecret(config)).toBe(secret)
  expect(await readdir(config.dataDir)).toEqual(['auth-secret'])
})

test('a start creates each missing file that no setting replaces, and keeps existing files', async () => {
  const dataDir = join(folder, 'started')
  const place = { ...UNSET, dataDir }
  expect(ensureKeyFiles({ ...place, authSecret: 'given' })).toEqual(['secrets-key'])
  expect(await readdir(dataDir)).toEqual(['secrets-key'])
  const [key] = readSecretsKeys(place)
  expect(key).toHaveLength(32)
  expect(ensureKeyFiles(place)).toEqual(['auth-secret'])
  expect(ensureKeyFiles(place)).toEqual([])
  expect((await readdir(dataDir)).sort()).toEqual(['auth-secret', 'secrets-key'])
  expect(readSecretsKeys(place)).toEqual([key])
})

test('a start refuses a file that contains no key, and names the setting that can replace it', async () => {
  const dataDir = await mkdtemp(join(folder, 'bad-'))
  await writeFile(join(dataDir, 'secrets-key'), 'hush\n')
  const start = () => ensureKeyFiles({ ...UNSET, dataDir })
  expect(start).toThrow(/secrets-key contains no key: restore it from a backup, or set SECRETS_KEY/)
  expect(start).not.toThrow(/hush/)
})

test('a start refuses a file that cannot be read, and says what to do', async () => {
  const dataDir = await mkdtemp(join(folder, 'unreadable-'))
  await mkdir(join(dataDir, 'auth-secret'))
  expect(() => ensureKeyFiles({ ...UNSET, dataDir })).toThrow(
    /auth-secret cannot be read \(EISDIR\): check the disk of /,
  )
})

test('with an external database, a start without a key logs that and continues', async () => {
  const file = join(folder, 'no-folder')
  await writeFile(file, '')
  const place = { ...UNSET, dataDir: file, authSecret: 'given' }
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
  const external = { ...place, databaseUrl: 'postgres://elsewhere/rapport' }
  expect(() => prepareKeyFiles(place, log)).toThrow(/secrets-key cannot be read/)
  expect(prepareKeyFiles(external, log)).toEqual([])
  expect(lines.join('')).toMatch(/secrets-key cannot be read.*a key file cannot be made/)
  const dataDir = await mkdtemp(join(folder, 'bad-'))
  await writeFile(join(dataDir, 'secrets-key'), 'hush')
  expect(() => prepareKeyFiles({ ...external, dataDir }, log)).toThrow(/contains no key/)
})

test('findKeyFault returns what is wrong with each key file', async () => {
  const dataDir = await mkdtemp(join(folder, 'known-'))
  const faults = () => KEY_FILES.map((key) => [key.name, findKeyFault(key, dataDir)])
  expect(faults()).toEqual([
    ['auth-secret', 'is missing'],
    ['secrets-key', 'is missing'],
    ['postgres/rapport.password', 'is missing'],
  ])
  ensureKeyFiles({ ...UNSET, dataDir })
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres/rapport.password'), 'secret')
  expect(faults().map(([, fault]) => fault)).toEqual([undefined, undefined, undefined])
  await writeFile(join(dataDir, 'auth-secret'), '')
  await unlink(join(dataDir, 'secrets-key'))
  await mkdir(join(dataDir, 'secrets-key'))
  expect(faults().map(([, fault]) => fault)).toEqual(['contains no key', 'cannot be read', undefined])
})

test('a backup lacks each key file that it does not contain and no setting replaces', () => {
  const lacking = (names: string[], settings: KeySettings = UNSET) =>
    lackingKeys(names, settings).map(({ name }) => name)
  const names = KEY_FILES.map(({ name }) => name)
  expect(lacking(names)).toEqual([])
  expect(lacking(['auth-secret'])).toEqual(['secrets-key', 'postgres/rapport.password'])
  expect(lacking(['postgres/rapport.password'], { ...UNSET, authSecret: 'given' })).toEqual(['secrets-key'])
})
