import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createSecretBox } from '../../secrets/box.ts'
import { buildTestService } from '../../test/build-app.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { insertEndpoint } from '../../webhooks/endpoint.fixture.ts'
import { putSecret } from '../../workflows/secrets/service.ts'
import { checkSecrets } from './secrets.ts'

const { ctx, org: makeOrg } = await buildTestService()
const dataDir = await temporaryFolder('doctor-secrets')

const ours = { secretsKeys: [Buffer.alloc(32, 7)], dataDir }
const other = { secretsKeys: [Buffer.alloc(32, 8)], dataDir }
const none = { secretsKeys: undefined, dataDir }

test('if no secret is encrypted, no key is needed and none is made', async () => {
  expect(await checkSecrets(ctx.db, none)).toMatchObject({ check: 'secrets', status: 'ok' })
  expect(await readdir(dataDir)).toEqual([])
})

test('names each kind of secret that the key cannot decrypt, and the next step', async () => {
  const org = await makeOrg()
  await insertEndpoint(ctx, org.org)
  expect((await checkSecrets(ctx.db, other)).detail).toBe(
    'the key of this installation cannot decrypt secrets of webhook endpoints',
  )
  await putSecret(ctx, org, { name: 'TOKEN', value: 'hush' })
  for (const config of [other, none]) {
    const finding = await checkSecrets(ctx.db, config)
    expect(finding).toMatchObject({ status: 'fail', advice: expect.stringContaining('SECRETS_KEY=new,old') })
    expect(finding.detail).toContain('secrets of webhook endpoints, secrets of workflows')
    expect(JSON.stringify(finding)).not.toContain('hush')
  }
  expect(await readdir(dataDir)).toEqual([])
  expect(await checkSecrets(ctx.db, ours)).toMatchObject({ status: 'ok' })
})

test('finds a secret that was encrypted with an earlier key among newer secrets', async () => {
  const org = await makeOrg()
  const secrets = createSecretBox([Buffer.alloc(32, 9)])
  await putSecret({ ...ctx, secrets }, org, { name: 'OLD', value: 'hush' })
  expect((await checkSecrets(ctx.db, ours)).detail).toBe(
    'the key of this installation cannot decrypt secrets of workflows',
  )
  const both = { secretsKeys: [...ours.secretsKeys, Buffer.alloc(32, 9)], dataDir }
  expect(await checkSecrets(ctx.db, both)).toMatchObject({ status: 'ok' })
})
