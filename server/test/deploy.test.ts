// The container image, the compose file and the chart name what the service has.
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { VARIABLE_NAMES } from '../diagnosis/configuration.ts'
import { FILE_VARIABLES } from '../environment.ts'
import { buildTestService } from './build-app.ts'

const ROOT = join(import.meta.dirname, '../..')
const text = (path: string) => readFile(join(ROOT, path), 'utf8')
const templates = await Array.fromAsync(glob('deploy/helm/rapport/templates/*', { cwd: ROOT }))
const chart = (await Promise.all(templates.map(text))).join('\n')
const dockerfile = await text('Dockerfile')
const compose = await text('deploy/compose.yaml')
const schema = JSON.parse(await text('deploy/helm/rapport/values.schema.json'))
const { version, optionalDependencies } = JSON.parse(await text('package.json'))

const all = (source: string, pattern: RegExp): string[] =>
  [...source.matchAll(pattern)].map(([, found]) => found ?? '')

const known = new Set([...VARIABLE_NAMES, ...FILE_VARIABLES.map((name) => `${name}_FILE`)])
const isKnown = (name: string) => known.has(name)
/** Variables of the image of PostgreSQL. */
const isOurs = (name: string) => !name.startsWith('POSTGRES_')

test.each([
  ['Dockerfile', all(dockerfile.replaceAll(/^(?!ENV ).*$/gm, ''), /([A-Z][A-Z_\d]*)=/g)],
  ['compose file', all(compose, /^ +([A-Z][A-Z_\d]+):/gm).filter(isOurs)],
  ['chart', all(chart, /- \{ name: ([A-Z][A-Z_\d]+), value/g)],
  [
    'chart, by keys of its Secret',
    (schema.properties.optionalSecretKeys.items.enum as string[]).map(asVariable),
  ],
])('%s sets variables that the service reads', (_, names) => {
  expect(names.length).toBeGreaterThan(2)
  expect(names.filter((name) => !isKnown(name))).toEqual([])
})

function asVariable(key: string): string {
  return `${key.toUpperCase().replaceAll('-', '_')}_FILE`
}

test('files of secrets are those of the Secret', () => {
  const keys = all(chart, /\{ name: [A-Z\d_]+_FILE, value: \/run\/secrets\/rapport\/([a-z\d-]+) \}/g)
  const names = all(chart, /\{ name: ([A-Z\d_]+_FILE), value: \/run\/secrets\/rapport\/[a-z\d-]+ \}/g)
  expect(keys.map(asVariable)).toEqual(names)
})

test('ports and probes are those of the service', async () => {
  const port = String(readConfig({}).port)
  const ports = [
    ...all(dockerfile, /^EXPOSE (\d+)$/gm),
    ...all(dockerfile, /\bPORT=(\d+)/g),
    ...all(chart, /containerPort: (\d+)/g),
    ...all(chart, /name: PORT, value: "(\d+)"/g),
    ...all(compose, /^ +- "127\.0\.0\.1:\d+:(\d+)"$/gm),
  ]
  expect(ports).toEqual(ports.map(() => port))
  const paths = [
    ...all(chart, /httpGet: \{ path: (\S+), port: http \}/g),
    ...all(dockerfile, /process\.env\.PORT\}(\/[a-z]+)`/g),
  ]
  expect(paths.length).toBe(4)
  const service = await buildTestService()
  for (const path of new Set(paths))
    expect((await service.inject({ method: 'GET', url: path })).statusCode, path).toBe(200)
})

test('commands, versions and the major version of Node are those of the repository', async () => {
  const scripts = all(`${dockerfile}${compose}${chart}`, /\b((?:server|cli)\/[a-z]+\.ts)\b/g)
  expect(scripts.length).toBeGreaterThan(2)
  expect(scripts.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  const [major] = String(optionalDependencies.node).split('.')
  const images = all(dockerfile, /^FROM node:(\d+)-/gm)
  expect(images).toEqual(images.map(() => major))
  expect(
    all(await text('deploy/helm/rapport/Chart.yaml'), /^(?:appVersion|version): "?([\d.]+)"?$/gm),
  ).toEqual([version, version])
  expect(all(compose, /image: rapport:([\d.]+)$/gm)).toEqual([version])
})
