import { chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { ensureKeyFiles } from '../../secrets/key-files.ts'
import { buildTestService } from '../../test/build-app.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import type { HealthSubject } from './conditions.ts'
import { checkKeyFiles, checkOwners } from './data-folder.ts'
import { folderConditions } from './folder-conditions.ts'

const folder = await temporaryFolder('folder')

const blocked = join(folder, 'blocked')
await mkdir(blocked)
await writeFile(join(blocked, 'files'), '')
const service = await buildTestService({ dataDir: blocked })

let count = 0
async function started(): Promise<string> {
  const dataDir = join(folder, `data-${++count}`)
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '18\n')
  await writeFile(join(dataDir, 'postgres/rapport.password'), 'password')
  ensureKeyFiles(readConfig({ DATA_DIR: dataDir }))
  return dataDir
}

async function namedIn(dataDir: string, env: Record<string, string> = {}): Promise<string[]> {
  const config = readConfig({ DATA_DIR: dataDir, ...env })
  const found = await Promise.all(
    folderConditions.map(({ examine }) => examine({ config, now: Date.now } as HealthSubject)),
  )
  return found.filter(({ status }) => status !== 'ok').map(({ detail }) => detail)
}

test('GET /readyz is 503 while no file can be stored, and does not show the path', async () => {
  const ask = () => service.inject({ method: 'GET', url: '/readyz' })
  // On a busy machine the database may not answer in time. Only that is reported then.
  await expect
    .poll(async () => (await ask()).json().details.conditions)
    .toContainEqual({ check: 'files', status: 'fail', detail: expect.stringContaining('DATA_DIR/files') })
  const response = await ask()
  expect(response.statusCode).toBe(503)
  expect(response.body).not.toContain(blocked)
})

test('a usable folder causes no finding, and the check leaves nothing in it', async () => {
  const dataDir = await started()
  expect(await namedIn(dataDir)).toEqual([])
  await mkdir(join(dataDir, 'files/.drafts'), { recursive: true })
  expect(await namedIn(dataDir)).toEqual([])
  expect(await readdir(join(dataDir, 'files/.drafts'))).toEqual([])
  expect(await namedIn(join(folder, 'new'))).toEqual([])
})

test('an unusable folder of drafts is reported, also if the folder of files is usable', async () => {
  const dataDir = await started()
  await mkdir(join(dataDir, 'files'))
  await writeFile(join(dataDir, 'files/.drafts'), '')
  expect(await namedIn(dataDir)).toEqual(['no file can be stored: DATA_DIR/files cannot be written to'])
  const bucket = {
    ...{ S3_BUCKET: 'files', S3_ENDPOINT: 'https://s3.example.com', S3_REGION: 'eu' },
    ...{ S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' },
  }
  expect(await namedIn(dataDir, bucket)).toEqual([])
})

test('unusable key files are reported unless a setting replaces them', async () => {
  const dataDir = await started()
  await rm(join(dataDir, 'auth-secret'))
  await mkdir(join(dataDir, 'auth-secret'))
  await writeFile(join(dataDir, 'secrets-key'), 'hush')
  expect(await namedIn(dataDir)).toEqual([
    'key files in DATA_DIR cannot be used: auth-secret cannot be read, secrets-key contains no key',
  ])
  const key = Buffer.alloc(32).toString('base64')
  expect(await namedIn(dataDir, { AUTH_SECRET: 'given', SECRETS_KEY: key })).toEqual([])
})

test('doctor: a missing key file is a warning, a file without a key is a failure', async () => {
  const dataDir = await started()
  const config = readConfig({ DATA_DIR: dataDir })
  expect(await checkKeyFiles(config)).toMatchObject([{ check: 'keys', status: 'ok' }])
  await rm(join(dataDir, 'secrets-key'))
  expect(await checkKeyFiles(config)).toMatchObject([
    {
      status: 'warn',
      detail: `in ${dataDir}, secrets-key is missing`,
      advice: expect.stringContaining('restore it from a backup first'),
    },
  ])
  await writeFile(join(dataDir, 'auth-secret'), '')
  expect(await checkKeyFiles(config)).toMatchObject([
    { status: 'fail', detail: `in ${dataDir}, auth-secret contains no key, secrets-key is missing` },
  ])
  expect(await checkKeyFiles(readConfig({ DATA_DIR: join(folder, 'new') }))).toEqual([])
})

test.runIf(process.getuid?.() === 0)('doctor: files with another owner than DATA_DIR are named', async () => {
  const dataDir = await started()
  await mkdir(join(dataDir, 'files/organization/bucket'), { recursive: true })
  const config = readConfig({ DATA_DIR: dataDir })
  expect(await checkOwners(config)).toEqual([])
  for (const name of ['', 'auth-secret', 'files', 'files/organization'])
    await chown(join(dataDir, name), 54_321, 54_321)
  const [finding] = await checkOwners(config)
  expect(finding).toMatchObject({
    status: 'fail',
    detail: `the owner of ${dataDir}, as which the service should run, does not own ${dataDir}/secrets-key and 1 other path`,
    advice: `chown -R --reference=${dataDir} ${dataDir}/secrets-key ${dataDir}/files`,
  })
})
