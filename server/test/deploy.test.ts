// Checks that the container image, the compose file and the chart match the service.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { BlockList, isIPv6 } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { jobRoutes } from '../../contract/jobs.ts'
import { readConfig } from '../config/config.ts'
import { FILE_VARIABLES } from '../config/environment.ts'
import { VARIABLE_NAMES } from '../operations/diagnosis/configuration.ts'
import { sharedTestService } from './shared-service.ts'

const ROOT = join(import.meta.dirname, '../..')
const text = (path: string) => readFile(join(ROOT, path), 'utf8')
const templates = await Array.fromAsync(glob('deploy/helm/rapport/templates/*', { cwd: ROOT }))
const chart = (await Promise.all(templates.map(text))).join('\n')
const values = await text('deploy/helm/rapport/values.yaml')
const dockerfile = await text('Dockerfile')
const compose = await text('deploy/compose.yaml')
const wrapper = await text('deploy/systemd/rapport')
const schema = JSON.parse(await text('deploy/helm/rapport/values.schema.json'))
const { version, optionalDependencies } = JSON.parse(await text('package.json'))

const all = (source: string, pattern: RegExp): string[] =>
  [...source.matchAll(pattern)].map(([, found]) => found ?? '')

const known = new Set([...VARIABLE_NAMES, ...FILE_VARIABLES.map((name) => `${name}_FILE`)])
const isKnown = (name: string) => known.has(name)
/** Excludes variables of the PostgreSQL image, and PATH. */
const isOurs = (name: string) => !name.startsWith('POSTGRES_') && name !== 'PATH'

test.each([
  ['Dockerfile', all(dockerfile.replaceAll(/^(?!ENV ).*$/gm, ''), /([A-Z][A-Z_\d]*)=/g).filter(isOurs)],
  ['compose file', all(compose, /^ +([A-Z][A-Z_\d]+):/gm).filter(isOurs)],
  ['chart', all(chart, /- \{ name: ([A-Z][A-Z_\d]+), value/g)],
  [
    'chart, by keys of its Secret',
    (schema.properties.optionalSecretKeys.items.enum as string[]).map(asVariable),
  ],
])('%s sets only variables that the service reads', (_, names) => {
  expect(names.length).toBeGreaterThan(2)
  expect(names.filter((name) => !isKnown(name))).toEqual([])
})

function asVariable(key: string): string {
  return `${key.toUpperCase().replaceAll('-', '_')}_FILE`
}

test('paths of secret files match the keys of the Secret', () => {
  const keys = all(chart, /\{ name: [A-Z\d_]+_FILE, value: \/run\/secrets\/rapport\/([a-z\d-]+) \}/g)
  const names = all(chart, /\{ name: ([A-Z\d_]+_FILE), value: \/run\/secrets\/rapport\/[a-z\d-]+ \}/g)
  expect(keys.map(asVariable)).toEqual(names)
})

test('ports and probes match the service', async () => {
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
  // A startup probe on /readyz would end pods that start while the database is away.
  expect(paths).toEqual(['/healthz', '/readyz', '/healthz', '/readyz'])
  const service = await sharedTestService()
  for (const path of new Set(paths))
    expect((await service.inject({ method: 'GET', url: path })).statusCode, path).toBe(200)
})

test('API and workers have the same ports and probes, and every pod has resources', async () => {
  const template = (name: string) => text(`deploy/helm/rapport/templates/${name}.yaml`)
  for (const part of ['api', 'worker']) {
    expect(await template(part)).toContain('{{- include "rapport.probes" . | nindent 10 }}')
    expect(await template(part)).toContain(`{{- toYaml .Values.${part}.resources | nindent 12 }}`)
  }
  expect(await template('migrate')).toContain('{{- toYaml .Values.migrations.resources | nindent 12 }}')
  expect(all(values, /^ {2}resources:\n {4}(requests|limits): \{ .*memory: /gm)).toHaveLength(3)
  // Only the migration has no health check, because it ends.
  expect(all(compose, /(disable: true)/g)).toHaveLength(1)
})

test('an upgrade migrates before it starts pods, and keeps old pods until new ones are ready', async () => {
  const template = (name: string) => text(`deploy/helm/rapport/templates/${name}.yaml`)
  const migrate = await template('migrate')
  expect(migrate).toMatch(/^kind: Job$/m)
  expect(migrate).toContain('command: [node_modules/.bin/node, cli/main.ts, migrate]')
  // Helm waits for its hooks before it changes anything else, and stops if a hook fails.
  expect(all(chart, /helm\.sh\/hook: (\S+)/g)).toEqual(['pre-install,pre-upgrade'])
  expect(migrate).toContain('helm.sh/hook: pre-install,pre-upgrade')
  expect(await template('api')).toMatch(
    /strategy:\n +rollingUpdate: \{ maxUnavailable: 0, maxSurge: \{\{ \.Values\.api\.maxSurge \}\} \}/,
  )
  expect(values).toMatch(/^api:\n {2}replicas: [2-9]\n(?: {2}#.*\n)* {2}maxSurge: 100%$/m)
  // The selector does not contain the version, so that pods of both versions are in the Service.
  const [, selector = ''] = /define "rapport\.selector" -\}\}\n([\s\S]*?)\{\{- end/.exec(chart) ?? []
  expect(all(selector, /^(\S+):/gm)).toEqual(['app.kubernetes.io/name', 'app.kubernetes.io/instance'])
  expect(await template('service')).toMatch(
    /selector:\n +\{\{- include "rapport\.selector" \. \| nindent 4 \}\}\n +app\.kubernetes\.io\/component: api\n/,
  )
})

test('every secret that the service reads from a file can be a key of the Secret', () => {
  const keys = [
    ...all(chart, /value: \/run\/secrets\/rapport\/([a-z\d-]+) \}/g),
    ...(schema.properties.optionalSecretKeys.items.enum as string[]),
  ]
  // Backups are for the embedded database, which the chart does not run.
  const names = FILE_VARIABLES.filter((name) => !name.startsWith('BACKUP_'))
  expect(keys.map(asVariable).toSorted()).toEqual(names.map((name) => `${name}_FILE`).toSorted())
  expect(values).toContain(
    `Further keys of it: ${schema.properties.optionalSecretKeys.items.enum.join(', ')}.`,
  )
})

test('the chart refuses to keep files in pods, unless one replica may lose them', () => {
  const [, volumes = ''] =
    /define "rapport\.volumes" -\}\}\n([\s\S]*?)\{\{- end -?\}\}\n- name: tmp/.exec(chart) ?? []
  expect(volumes).toMatch(
    /\{\{- else \}\}\n\{\{- include "rapport\.requirePlaceForFiles" \. \}\}\n {2}emptyDir: \{\}\n$/,
  )
  const [, required = ''] =
    /define "rapport\.requirePlaceForFiles" -\}\}\n([\s\S]*?)\{\{- define/.exec(chart) ?? []
  const conditions = all(required, /\{\{- if (.*?) \}\}\n/g)
  expect(conditions).toEqual([
    'not .Values.files.s3.bucket',
    'not .Values.files.ephemeral',
    'or (ne (int .Values.api.replicas) 1) .Values.api.autoscaling.enabled',
  ])
  const refusals = all(required, /\{\{- fail "(.*)" \}\}/g)
  expect(refusals).toEqual([
    expect.stringContaining('set files.s3.bucket, or files.existingClaim'),
    expect.stringContaining('files.ephemeral=true needs api.replicas=1'),
  ])
  expect(values).toMatch(/^ {2}ephemeral: false$/m)
  expect(schema.properties.files.properties.ephemeral).toEqual({ type: 'boolean' })
})

test('base images are pinned by digest', () => {
  const stages = all(dockerfile, / AS (\w+)$/gm)
  const images = [...all(dockerfile, /^FROM (\S+)/gm), ...all(compose, /^ +image: (\S+)$/gm)]
  const others = images.filter((image) => !stages.includes(image) && !image.startsWith('rapport:'))
  expect(others).toHaveLength(3)
  expect(others.filter((image) => !/^\S+:\S+@sha256:[\da-f]{64}$/.test(image))).toEqual([])
})

test('pods cannot reach metadata addresses of clouds', () => {
  const [, except = ''] = /^ {2}egressExcept:\n((?: {4}- .*\n)+)/m.exec(values) ?? []
  const networks = all(except, /- (\S+)$/gm)
  const blocked = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    blocked.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  const ADDRESSES = ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254']
  for (const address of ADDRESSES)
    expect(blocked.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'), address).toBe(true)
  for (const address of ['93.184.215.14', '10.0.0.5']) expect(blocked.check(address), address).toBe(false)
})

test('the proxy accepts the largest body, and waits longer than the deadline of requests', async () => {
  const nginx = await text('deploy/nginx/rapport.conf')
  const { importMaxBytes, fileBytesMax, requestDeadlineSeconds } = readConfig({})
  const [megabytes] = all(nginx, /client_max_body_size (\d+)m;/g)
  expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(Math.max(importMaxBytes, fileBytesMax))
  for (const seconds of all(nginx, /proxy_(?:read|send)_timeout (\d+)s;/g))
    expect(Number(seconds)).toBeGreaterThan(requestDeadlineSeconds)
  for (const name of ['Host $http_host', 'X-Forwarded-For $proxy_add_x_forwarded_for'])
    expect(nginx).toContain(`proxy_set_header ${name};`)
})

test('the proxies accept the file of a job in one piece, and pass it on as it arrives', async () => {
  const nginx = await text('deploy/nginx/rapport.conf')
  const [, path = '', block = ''] = /location ~ (\S+) \{\n([^}]*)\}/.exec(nginx) ?? []
  const [, route = ''] = jobRoutes.sendJobContent.at.split(' ')
  expect(`/api/v1${route.replace(':jobId', '0198c0de-0000-7000-8000-000000000001')}`).toMatch(
    new RegExp(path),
  )
  expect(block).toContain('client_max_body_size 0;')
  expect(block).toContain('proxy_pass http://rapport;')
  // For each location, since a directive there would replace these of the server.
  expect(nginx).toMatch(/^ {4}proxy_request_buffering off;$/m)
  expect(all(nginx, /^ {8}(proxy_(?!pass).*)$/gm)).toEqual([])
  const production = await text('deploy/helm/production.yaml')
  expect(production).toContain('nginx.ingress.kubernetes.io/proxy-body-size: "0"')
  expect(production).toContain('nginx.ingress.kubernetes.io/proxy-request-buffering: "off"')
})

describe('the command line under systemd', () => {
  const run = (user: number, env: Record<string, string>) => {
    const here = wrapper
      .replace('/etc/rapport.env', join(ROOT, 'deploy/systemd/rapport.env'))
      .replace('$(id -u)', String(user))
      .replace(/^exec .*$/m, 'exec printenv DATA_DIR BASE_URL')
    return spawnSync('sh', ['-c', here], { env: { PATH: process.env['PATH'], ...env }, encoding: 'utf8' })
  }

  test.each([
    [{}, '/var/lib/rapport'],
    [{ DATA_DIR: "/a folder's" }, "/a folder's"],
  ])('uses the settings of the service, and overrides them with %o', (env, dataDir) => {
    expect(run(0, env).stdout).toBe(`${dataDir}\nhttps://crm.example.com\n`)
  })

  test('reports that it needs root', () => {
    expect(run(1000, {})).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('sudo') })
  })
})

test('commands, versions and the major version of Node match the repository', async () => {
  const unit = await text('deploy/systemd/rapport.service')
  const scripts = all(`${dockerfile}${compose}${chart}${unit}${wrapper}`, /\b((?:server|cli)\/[a-z]+\.ts)\b/g)
  expect(scripts).toEqual(expect.arrayContaining(['server/main.ts', 'cli/main.ts']))
  expect(scripts.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  // The guide puts the repository and the command line where the units look for them.
  const guide = await text('docs/operators/running.md')
  const [, home = ''] = /^WorkingDirectory=(.*)$/m.exec(unit) ?? []
  expect(unit).toContain(`ExecStart=${home}/node_modules/.bin/node server/main.ts`)
  expect(wrapper).toContain(` -- ${home}/node_modules/.bin/node ${home}/cli/main.ts `)
  expect(guide).toContain(`git clone … ${home} && cd ${home} && npm ci`)
  const [, command = ''] =
    /^ExecStart=(\S+) /m.exec(await text('deploy/systemd/rapport-doctor.service')) ?? []
  expect(guide).toContain(`install -m 0755 deploy/systemd/rapport ${command}`)
  const [major] = String(optionalDependencies.node).split('.')
  const images = all(dockerfile, /^FROM node:(\d+)-/gm)
  expect(images).toEqual(images.map(() => major))
  expect(
    all(await text('deploy/helm/rapport/Chart.yaml'), /^(?:appVersion|version): "?([\d.]+)"?$/gm),
  ).toEqual([version, version])
  expect(all(compose, /image: rapport:([\d.]+)$/gm)).toEqual([version])
})
