import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { settingsOf, VARIABLE_NAMES } from './configuration.ts'

const text = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

/** `env['NAME']`, and `integer(env, 'NAME'` and its like. */
const READS = /env(?:\['([A-Z_]+)'\]|,\s*'([A-Z_]+)')/g

test('config.ts, the doctor and the page for operators name the same variables', async () => {
  const read = [...(await text('../config.ts')).matchAll(READS)].map(
    ([, index, argument]) => index ?? argument,
  )
  const page = await text('../../docs/operators/configuration.md')
  const documented = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  expect([...new Set(read)].sort()).toEqual([...VARIABLE_NAMES].sort())
  expect(documented).toEqual(VARIABLE_NAMES)
})

test('the defaults on the page are those of config.ts', async () => {
  const page = await text('../../docs/operators/configuration.md')
  const rows = page.matchAll(/^\| `([A-Z_]+)` \| `([^`]+)`/gm)
  const defaults = new Map([...rows].map(([, name, value]) => [name, value]))
  const settings = settingsOf(readConfig({}), {})
  const shown = { DATA_DIR: readConfig({ DATA_DIR: './data' }).dataDir, BASE_URL: 'http://127.0.0.1:3000' }
  for (const { name, value, source } of settings) {
    expect(source).toBe('default')
    const documented = defaults.get(name)
    expect([name, value]).toEqual([name, { ...shown }[name] ?? documented ?? null])
  }
})

test('secrets are masked, whatever they are', () => {
  const env = {
    AUTH_SECRET: 'hush-hush-hush',
    SECRETS_KEY: `${'hush'.repeat(10)}hus=`,
    METRICS_TOKEN: 'quiet',
    SMTP_URL: 'smtps://rapport:s3cret@mail.example.com',
    MAIL_FROM: 'rapport@example.com',
    DATABASE_URL: 'postgresql://rapport:s3cret@db.example.com:5432/rapport?password=s3cret&sslmode=require',
  }
  const settings = settingsOf(readConfig(env), env)
  expect(JSON.stringify(settings)).not.toMatch(/hush|quiet|s3cret/)
  expect(settings).toContainEqual({
    name: 'DATABASE_URL',
    value: 'postgresql://rapport:***@db.example.com:5432/rapport?password=***&sslmode=require',
    source: 'set',
  })
  expect(settings).toContainEqual({ name: 'AUTH_SECRET', value: '***', source: 'set' })
  expect(settings).toContainEqual({ name: 'SECRETS_KEY', value: '***', source: 'set' })
})

test('mail has a sender', () => {
  const env = { SMTP_URL: 'smtp://mail.example.com' }
  expect(() => readConfig(env)).toThrow(/MAIL_FROM must be set/)
  expect(() => readConfig({ SMTP_URL: 'mail.example.com' })).toThrow(/smtp: or smtps:/)
  expect(readConfig({ ...env, MAIL_FROM: 'a@example.com' })).toMatchObject({ mailFrom: 'a@example.com' })
})
