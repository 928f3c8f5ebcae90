// Runs the samples as users copy them, with genuine and forged requests.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf } from '../../../../server/test/guides/blocks.ts'
import { machineNow } from '../../../../server/test/start-time.ts'
import { temporaryFolder } from '../../../../server/test/temporary-folder.ts'
import { SAMPLES } from './samples.ts'

const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url))
const SECRET = `whsec_${Buffer.from('a secret of exactly 32 bytes :-)').toString('base64')}`
const OTHER = `whsec_${Buffer.from('one that this endpoint never had').toString('base64')}`
const ID = '0198c0de-0000-7000-8000-000000000001'
// Spaces, non-ASCII letters and a line break: a receiver that parses the body and serializes it again changes them.
const BODY = JSON.stringify({ id: ID, type: 'record.created', data: { name: 'Größe\n“A & B”' } }, null, 2)

const has = (command: string) => spawnSync(command, ['--version']).error === undefined
const hasOpenssl = spawnSync('openssl', ['version']).error === undefined
const codeOf = (id: string) => SAMPLES.find((sample) => sample.id === id)?.code(SECRET) ?? ''

let folder = ''
const running: ChildProcess[] = []
beforeAll(async () => {
  folder = await temporaryFolder('samples')
  await symlink(MODULES, join(folder, 'node_modules'))
})
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

test.each(blocksOf('webhooks').filter(({ info }) => info['sample']))(
  'the guide contains the sample $info.sample of the portal',
  ({ info, text }) => {
    expect(text).toBe(SAMPLES.find(({ id }) => id === info['sample'])?.code('whsec_…'))
  },
)

test('the guide contains verification in three languages without packages', () => {
  const named = blocksOf('webhooks').flatMap(({ info }) => info['sample'] ?? [])
  expect(named).toEqual(expect.arrayContaining(['node-crypto', 'python', 'openssl']))
})

interface Signing {
  secret?: string
  at?: Date
  body?: string
}

/** The headers of a delivery. */
function signed({ secret = SECRET, at = new Date(machineNow()), body = BODY }: Signing = {}) {
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(ID, at, body),
  }
}

/** @returns the address of the sample */
async function start(command: string, file: string, code: string): Promise<string> {
  await writeFile(join(folder, file), code)
  const child = spawn(command, [file], { cwd: folder, env: { ...process.env, PORT: '0' } })
  running.push(child)
  const faults: string[] = []
  child.stderr.on('data', (text) => faults.push(String(text)))
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /port (\d+)/.exec(line)?.[1]
    if (port) return `http://127.0.0.1:${port}`
  }
  throw new Error(`It ended: ${faults.join('')}`)
}

async function send(url: string, headers: Record<string, string>, body = BODY): Promise<number> {
  const answer = await fetch(url, { method: 'POST', headers, body })
  return answer.status
}

const RECEIVERS = [
  { id: 'node-library', command: process.execPath, file: 'library.mjs' },
  { id: 'node-crypto', command: process.execPath, file: 'crypto.mjs' },
  { id: 'python', command: 'python3', file: 'receiver.py' },
]

describe.each(RECEIVERS)('$id', ({ id, command, file }) => {
  // Python may not be installed. Node is, because it runs these tests.
  const isThere = command === process.execPath || has(command)
  test.skipIf(!isThere)('accepts only genuine requests', async () => {
    const url = await start(command, file, codeOf(id))
    const long = 10 * 60_000
    expect(await send(url, signed())).toBe(204)
    expect(await send(url, signed(), BODY.replace('Größe', 'Große'))).toBe(401)
    expect(await send(url, signed({ secret: OTHER }))).toBe(401)
    expect(await send(url, { ...signed(), 'webhook-id': `${ID.slice(0, -1)}2` })).toBe(401)
    expect(await send(url, signed({ at: new Date(machineNow() - long) }))).toBe(401)
    expect(await send(url, signed({ at: new Date(machineNow() + long) }))).toBe(401)
    expect(await send(url, {})).toBe(401)
    const at = new Date(machineNow())
    const both = `${signed({ at, secret: OTHER })['webhook-signature']} ${signed({ at })['webhook-signature']}`
    expect(await send(url, { ...signed({ at }), 'webhook-signature': both })).toBe(204)
  })
})

/** @returns the output, and whether the command succeeded */
async function shell(file: string, env: Record<string, string>): Promise<[string, boolean]> {
  try {
    const { stdout } = await promisify(execFile)('sh', [file], {
      cwd: folder,
      env: { ...process.env, ...env },
    })
    return [stdout.trim(), true]
  } catch (error) {
    return [String((error as { stdout?: unknown }).stdout).trim(), false]
  }
}

test.skipIf(!hasOpenssl)('openssl accepts a genuine body and rejects a changed one', async () => {
  await writeFile(join(folder, 'check.sh'), codeOf('openssl'))
  const headers = signed()
  const env = {
    WEBHOOK_ID: headers['webhook-id'],
    WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
    WEBHOOK_SIGNATURE: headers['webhook-signature'],
  }
  await writeFile(join(folder, 'body.json'), BODY)
  expect(await shell('check.sh', env)).toEqual(['Genuine', true])
  await writeFile(join(folder, 'body.json'), `${BODY}\n`)
  expect(await shell('check.sh', env)).toEqual(['Not genuine', false])
})

test.skipIf(!(hasOpenssl && has('curl')))(
  'curl sends an event that the receiver accepts only with the right secret',
  async () => {
    const url = await start(process.execPath, 'for-curl.mjs', codeOf('node-library'))
    const own = SAMPLES.find(({ id }) => id === 'curl')
    await writeFile(join(folder, 'send.sh'), codeOf('curl'))
    expect(await shell('send.sh', { RECEIVER_URL: url })).toEqual(['', true])
    await writeFile(join(folder, 'send.sh'), own?.code(OTHER) ?? '')
    expect(await shell('send.sh', { RECEIVER_URL: url })).toEqual(['Not signed by Rapport', false])
  },
)
