import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { configuredSettings, VARIABLE_NAMES } from './configuration.ts'

const text = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

/** `env['NAME']`, and calls such as `integer(env, 'NAME'`. */
const READS = /env(?:\['([A-Z\d_]+)'\]|,\s*'([A-Z\d_]+)')/g

test('config.ts, the doctor and the page for operators name the same variables', async () => {
  const files = [
    '../../config/config.ts',
    '../../config/rate-config.ts',
    '../../config/s3-config.ts',
    '../../config/backup-config.ts',
  ]
  const source = (await Promise.all(files.map(text))).join('\n')
  const read = [...source.matchAll(READS)].map(([, index, argument]) => index ?? argument)
  const page = await text('../../../docs/operators/configuration.md')
  const documented = [...page.matchAll(/^\| `([A-Z\d_]+)` \|/gm)].map(([, name]) => name)
  expect([...new Set(read)].sort()).toEqual([...VARIABLE_NAMES].sort())
  expect(documented).toEqual(VARIABLE_NAMES)
})

test('the defaults on the page are the defaults of config.ts', async () => {
  const page = await text('../../../docs/operators/configuration.md')
  const rows = page.matchAll(/^\| `([A-Z\d_]+)` \| `([^`]+)`/gm)
  const defaults = new Map([...rows].map(([, name, value]) => [name, value]))
  const settings = configuredSettings(readConfig({}), {})
  const { bodyBytes, responseBytes, connections, dataDir } = readConfig({ DATA_DIR: './data' })
  const shown = {
    DATA_DIR: dataDir,
    BASE_URL: 'http://127.0.0.1:3000',
    // A third of the pool.
    DATABASE_CONNECTIONS_PER_ORGANIZATION: '4',
    DATABASE_SUSTAINED_CONNECTIONS_PER_ORGANIZATION: String(
      Math.max(1, Math.floor(availableParallelism() / 2)),
    ),
    // Shares of what the system allows, which the page describes.
    CONNECTIONS: String(connections.process),
    CONNECTIONS_PER_CLIENT: String(Math.ceil(connections.process / 4)),
    // Shares of the heap, which the page describes.
    BODY_BYTES: String(bodyBytes.process),
    BODY_BYTES_PER_ORGANIZATION: String(Math.ceil(bodyBytes.process / 2)),
    BODY_BYTES_PER_KEY: String(Math.ceil(bodyBytes.process / 4)),
    RESPONSE_BYTES: String(responseBytes.process),
    RESPONSE_BYTES_PER_ORGANIZATION: String(Math.ceil(responseBytes.process / 2)),
    RESPONSE_BYTES_PER_KEY: String(Math.ceil(responseBytes.process / 4)),
  }
  for (const { name, value, source } of settings) {
    expect(source).toBe('default')
    const documented = defaults.get(name)
    const said = value === 'not set' ? null : value
    expect([name, said]).toEqual([name, { ...shown }[name] ?? documented ?? null])
  }
})

test('sign-up is closed in production unless the setting opens it', () => {
  const signUp = (env: Record<string, string>) => readConfig(env).signUp
  expect(signUp({})).toBe('open')
  expect(signUp({ NODE_ENV: 'production' })).toBe('closed')
  expect(signUp({ NODE_ENV: 'production', SIGN_UP: 'open' })).toBe('open')
})

test('for a secret, only whether it is set is shown', () => {
  const env = {
    AUTH_SECRET: 'hush-hush-hush',
    SECRETS_KEY: `${'hush'.repeat(10)}hus=`,
    METRICS_TOKEN: 'quiet',
    WEBHOOK_PROVIDER: 'svix',
    SVIX_TOKEN: 'quiet-too.eu',
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'hush-again',
    SMTP_URL: 'smtps://rapport:s3cret@mail.example.com',
    MAIL_FROM: 'rapport@example.com',
    DATABASE_URL: 'postgresql://rapport:s3cret@db.example.com:5432/rapport?password=s3cret&sslmode=require',
  }
  const settings = configuredSettings(readConfig(env), env)
  expect(JSON.stringify(settings)).not.toMatch(/hush|quiet|s3cret/)
  expect(settings).toContainEqual({
    name: 'DATABASE_URL',
    value: 'postgresql://rapport:***@db.example.com:5432/rapport?password=***&sslmode=require',
    source: 'set',
  })
  expect(settings).toContainEqual({ name: 'AUTH_SECRET', value: 'set', source: 'set' })
  expect(settings).toContainEqual({ name: 'SECRETS_KEY', value: 'set', source: 'set' })
  expect(settings).toContainEqual({ name: 'BACKUP_KEY', value: 'not set', source: 'default' })
})

describe('Svix', () => {
  const env = { WEBHOOK_PROVIDER: 'svix', SVIX_TOKEN: 'sk_1.eu' }
  const serverAt = (url: string) => () => readConfig({ ...env, SVIX_SERVER_URL: url }).svix?.url

  test('is used only if it is chosen', () => {
    expect(readConfig({ SVIX_TOKEN: 'sk_1.eu' }).svix).toBeUndefined()
    expect(readConfig({ ...env, WEBHOOK_PROVIDER: 'builtin' }).svix).toBeUndefined()
    expect(() => readConfig({ WEBHOOK_PROVIDER: 'Svix' })).toThrow(/must be one of builtin, svix, not "Svix"/)
  })

  test('requires a token, which an error does not show', () => {
    const named = expect.objectContaining({
      name: 'ConfigError',
      message: expect.stringMatching(/^SVIX_TOKEN/),
    })
    expect(() => readConfig({ ...env, SVIX_TOKEN: undefined })).toThrow(named)
    expect(() => readConfig({ ...env, SVIX_TOKEN: '' })).toThrow(named)
    expect(() => readConfig({ ...env, SVIX_TOKEN: 'two words' })).toThrow(/^(?!.*two)/)
  })

  test.each([
    ['sk_1.eu', 'https://api.eu.svix.com'],
    ['sk_1.au', 'https://api.au.svix.com'],
    ['sk_1.xy', 'https://api.svix.com'],
    ['sk_1', 'https://api.svix.com'],
  ])('with the token %s is reached at %s', (token, url) => {
    expect(readConfig({ ...env, SVIX_TOKEN: token }).svix).toEqual({ token, url })
  })

  test.each([
    'https://svix.example.com',
    'https://10.0.0.7:8071/svix',
    'http://127.0.0.1:8071',
    'http://localhost:8071',
    'http://[::1]:8071',
  ])('can be reached at %s', (url) => expect(serverAt(`${url}/`)()).toBe(url))

  test.each([
    'http://svix.example.com',
    'http://10.0.0.7:8071',
    'ftp://127.0.0.1',
    'svix.example.com',
    'https://user:word@svix.example.com',
    'https://svix.example.com/?a=1',
    'https://svix.example.com/#a',
  ])('rejects the address %s', (url) => expect(serverAt(url)).toThrow(/^SVIX_SERVER_URL must be/))
})

describe('S3', () => {
  const env = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'hush' }
  const read = (more: Record<string, string>) => readConfig({ ...env, ...more }).s3

  test('is not used without a bucket', () => {
    expect(readConfig({ ...env, S3_BUCKET: '' }).s3).toBeUndefined()
  })

  test('uses the endpoint of AWS unless another is set', () => {
    const key = { bucket: 'files', accessKeyId: 'key', secretAccessKey: 'hush' }
    expect(read({ S3_REGION: 'eu-west-1' })).toEqual({
      ...key,
      region: 'eu-west-1',
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
      forcePathStyle: false,
    })
    expect(read({ S3_ENDPOINT: 'http://10.0.0.7:9000/' })).toEqual({
      ...key,
      region: 'us-east-1',
      endpoint: 'http://10.0.0.7:9000',
      forcePathStyle: true,
    })
    expect(read({ S3_ENDPOINT: 'https://s3.example.com', S3_FORCE_PATH_STYLE: 'false' })).toMatchObject({
      forcePathStyle: false,
    })
  })

  test.each([
    ['S3_ENDPOINT', 's3.example.com'],
    ['S3_ENDPOINT', 'https://s3.example.com/path'],
    ['S3_ENDPOINT', 'https://s3.example.com?a=1'],
    ['S3_ENDPOINT', 'https://key:hush@s3.example.com'],
    ['S3_BUCKET', 'files/x'],
    ['S3_REGION', 'eu west'],
    ['S3_ACCESS_KEY_ID', ''],
    ['S3_SECRET_ACCESS_KEY', ''],
    ['S3_SECRET_ACCESS_KEY', 'hush hush'],
  ])('rejects %s with the value %j', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(new RegExp(`${name}.* must be`))
    expect(() => read({ [name]: value })).not.toThrow(/hush/)
  })
})

test('mail requires a sender', () => {
  const env = { SMTP_URL: 'smtp://mail.example.com' }
  expect(() => readConfig(env)).toThrow(/MAIL_FROM must be set/)
  expect(() => readConfig({ SMTP_URL: 'mail.example.com' })).toThrow(/smtp: or smtps:/)
  expect(readConfig({ ...env, MAIL_FROM: 'a@example.com' })).toMatchObject({ mailFrom: 'a@example.com' })
})

test('secrets are read from files', async () => {
  const folder = await temporaryFolder('secrets')
  const file = join(folder, 'database-url')
  await writeFile(file, 'postgresql://crm:secret@db/crm\n')
  const env = { DATABASE_URL_FILE: file }
  expect(readConfig(env).databaseUrl).toBe('postgresql://crm:secret@db/crm')
  const shown = configuredSettings(readConfig(env), env).find(({ name }) => name === 'DATABASE_URL')
  expect(shown).toEqual({ name: 'DATABASE_URL', value: 'postgresql://crm:***@db/crm', source: 'set' })
  expect(() => readConfig({ ...env, DATABASE_URL: 'postgresql://db/crm' })).toThrow(/are both set/)
  expect(() => readConfig({ AUTH_SECRET_FILE: join(folder, 'none') })).toThrow(
    /AUTH_SECRET_FILE cannot be read/,
  )
})
