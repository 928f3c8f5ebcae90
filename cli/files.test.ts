import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { startStandIn } from '../server/files/s3/stand-in.fixture.ts'
import { json, openCli } from './cli.fixture.ts'

const { pool, folder, rapport } = await openCli()
const store = await startStandIn()

const PNG = Buffer.from('\x89PNG\r\n\x1a\nand more', 'latin1')
const picture = join(folder, 'logo of acme.png')
await writeFile(picture, PNG)

const upload = (args: string[], env?: Record<string, string>) =>
  rapport(['files', 'upload', '--org', 'acme', '--bucket', 'logos', ...args], env)

const stored = () => pool.many(sql`select path, state, size, content_type from files order by id`)

test('stores a file on the disk, once', async () => {
  expect(await json(upload([picture, '--json']))).toEqual({
    publicUrl: expect.stringMatching(/\/files\/[\w-]{43}\/logo%20of%20acme\.png$/),
    size: PNG.length,
    contentType: 'image/png',
  })
  expect(await stored()).toEqual([
    { path: 'logo of acme.png', state: 'stored', size: PNG.length, content_type: 'image/png' },
  ])
  const again = await upload([picture])
  expect(again).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/already has a file logo of acme\.png/),
  })
})

test('reports a file that cannot be stored in one line', async () => {
  const wrong = await upload([picture, '--path', '../x'])
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/^rapport: path: must be segments/) })
  const swept = await rapport(['files', 'upload', '--org', 'acme', '--bucket', 'dashboard-uploads', picture])
  expect(swept).toMatchObject({ code: 1, stderr: expect.stringMatching(/^rapport: bucket: must be another/) })
  const lying = await upload([picture, '--path', 'x.gif', '--content-type', 'image/gif'])
  expect(lying).toMatchObject({ code: 1, stderr: expect.stringMatching(/not of type image\/gif/) })
})

test('lists, shows and deletes files', async () => {
  const of = (...args: string[]) => rapport(['files', ...args, '--org', 'acme'])
  expect((await of('list', '--prefix', 'no')).stdout).toContain('No files yet.')
  const { files } = (await json(of('list', '--bucket', 'logos', '--json'))) as { files: { id: string }[] }
  const id = files[0]?.id ?? ''
  expect((await of('get', id)).stdout).toContain('logo%20of%20acme.png')
  expect((await of('delete', id)).stdout).toContain(`File ${id} is deleted`)
  expect(await of('get', id)).toMatchObject({ code: 1 })
})

test('stores a file in a bucket', async () => {
  const { access } = store
  const env = {
    S3_BUCKET: access.bucket,
    S3_ENDPOINT: access.endpoint,
    S3_REGION: access.region,
    S3_ACCESS_KEY_ID: access.accessKeyId,
    S3_SECRET_ACCESS_KEY: access.secretAccessKey,
  }
  await json(upload([picture, '--path', 'in/a/bucket.png', '--json'], env))
  expect([...store.objects.values()]).toMatchObject([{ body: PNG, contentType: 'image/png' }])
})
