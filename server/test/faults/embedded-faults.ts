// The faults of the embedded server itself: killed, paused, without room.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { serverPids } from '../../db/embedded/fixture-process.ts'
import { sendSignal } from '../../db/embedded/leftovers.ts'
import { errorCode } from '../../db/error-code.ts'
import { BALLAST_BYTES, type EmbeddedStage } from './embedded-stage.ts'
import type { Fault } from './fault.ts'
import { TIMES } from './options.ts'
import { probe } from './stage.ts'

type EmbeddedFault = Fault<EmbeddedStage>

const postmasterOf = async ({ dataDir }: EmbeddedStage) => (await serverPids(dataDir))[0] ?? 0

/** Of the last start of the server, or of its recovery. */
const startedAt = ({ db }: EmbeddedStage) =>
  db.value<string>(sql`
      select backend_start::text as at from pg_stat_activity where backend_type = 'checkpointer'`)

/** PostgreSQL ends all sessions then, since any of them may have left shared memory half written. */
function killingSession(): EmbeddedFault {
  let before = ''
  return {
    name: 'a session of the database killed',
    async begin(stage) {
      before = await startedAt(stage)
      const { pid } = await stage.db.one<{ pid: number }>(sql`
        select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() limit 1`)
      sendSignal(pid, 'SIGKILL')
    },
    end: (stage) => expect.poll(() => startedAt(stage).catch(() => before)).not.toBe(before),
  }
}

/** The service starts another. */
function killingServer(): EmbeddedFault {
  let before = 0
  return {
    name: 'the database server killed',
    async begin(stage) {
      before = await postmasterOf(stage)
      sendSignal(before, 'SIGKILL')
    },
    end: (stage) => expect.poll(() => postmasterOf(stage).catch(() => before)).not.toBe(before),
  }
}

function pausingServer(): EmbeddedFault {
  let paused: number[] = []
  return {
    name: 'the whole database server paused',
    named: 'database',
    refuses: true,
    async begin({ dataDir }) {
      paused = await serverPids(dataDir)
      for (const pid of paused) sendSignal(pid, 'SIGSTOP')
    },
    async end() {
      for (const pid of paused) sendSignal(pid, 'SIGCONT')
    },
  }
}

const ballastOf = ({ dataDir }: EmbeddedStage) => join(dataDir, 'ballast')

async function writePieces(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'a')
  try {
    for (;;) await file.write(Buffer.alloc(bytes))
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error
  } finally {
    await file.close()
  }
}

/** To the last byte, where the disk is ours alone. */
async function fill(stage: EmbeddedStage): Promise<void> {
  const path = ballastOf(stage)
  if (stage.onSmallDisk) for (const bytes of [1 << 20, 4096]) await writePieces(path, bytes)
  else execFileSync('fallocate', ['-l', String(BALLAST_BYTES), path])
}

const headersOf = ({ world }: EmbeddedStage) => ({ authorization: `Bearer ${world.orgs[0]?.key}` })

/** A write that the accounts do not know. */
async function tryWrite(stage: EmbeddedStage) {
  const response = await fetch(`${stage.life.address}/api/v1/files/upload-url`, {
    method: 'POST',
    headers: { ...headersOf(stage), 'content-type': 'application/json' },
    body: JSON.stringify({ bucket: 'faults', path: `${randomUUID()}.png` }),
  })
  const { details } = (await response.json()) as { details?: { reason?: string } }
  return { status: response.status, reason: details?.reason, retryAfter: response.headers.get('retry-after') }
}

const read = async (stage: EmbeddedStage) => {
  const url = `${stage.life.address}/api/v1/objects/companies/records?limit=20`
  const response = await fetch(url, { headers: headersOf(stage) })
  await response.text()
  return response.status
}

const READ_EVERY_MS = 25

/** Reads all the time. @returns ends it, with how often each status was the answer */
function startReading(stage: EmbeddedStage): () => Promise<Record<number, number>> {
  const stopping = new AbortController()
  const statuses: Record<number, number> = {}
  const reading = (async () => {
    while (!stopping.signal.aborted) {
      const status = await read(stage)
      statuses[status] = (statuses[status] ?? 0) + 1
      await delay(READ_EVERY_MS)
    }
  })()
  return async () => {
    stopping.abort()
    await reading
    return statuses
  }
}

const REFUSED = { status: 503, reason: 'disk_full', retryAfter: '10' }

async function expectNamed({ life }: EmbeddedStage): Promise<void> {
  const { status, body } = await probe(life.address, '/readyz')
  const detail = expect.stringMatching(/free on the disk of the database, .*: writes are refused until/)
  expect({ status, ...body }).toMatchObject({
    status: 'ready',
    conditions: expect.arrayContaining([{ check: 'disk', status: 'fail', detail }]),
  })
  const metrics = await (await fetch(`${life.address}/metrics`)).text()
  expect(metrics).toContain('rapport_writes_refused 1')
  expect(metrics).toMatch(/^rapport_disk_free_bytes\{volume="database"\} \d+$/m)
}

/** Nothing else is done for it than to free the space. */
async function emptyDisk(stage: EmbeddedStage): Promise<void> {
  await rm(ballastOf(stage))
  await expect.poll(() => tryWrite(stage), { timeout: 30_000 }).toMatchObject({ status: 200 })
}

function fillingDisk(): EmbeddedFault {
  let stopReading = async (): Promise<Record<number, number>> => ({})
  return {
    name: 'disk full',
    named: 'disk',
    refuses: true,
    async begin(stage) {
      stopReading = startReading(stage)
      await fill(stage)
    },
    async end(stage) {
      expect(await tryWrite(stage)).toEqual(REFUSED)
      await expectNamed(stage)
      await emptyDisk(stage)
      expect(Object.keys(await stopReading())).toEqual(['200'])
    },
  }
}

/** Its recovery needs space, which the reserve has. */
function killingServerOnFullDisk(): EmbeddedFault {
  const killing = killingServer()
  return {
    name: 'disk full, and its database server killed',
    named: 'disk',
    refuses: true,
    async begin(stage) {
      await fill(stage)
      await expect.poll(() => tryWrite(stage)).toEqual(REFUSED)
      await killing.begin(stage)
    },
    async end(stage) {
      await killing.end(stage)
      await expect.poll(() => read(stage), { timeout: 30_000 }).toBe(200)
      expect(await tryWrite(stage)).toEqual(REFUSED)
      await emptyDisk(stage)
    },
  }
}

export const embeddedFaults: readonly EmbeddedFault[] = [
  ...[killingSession(), killingServer(), pausingServer()],
  ...Array.from({ length: TIMES }, fillingDisk),
  killingServerOnFullDisk(),
]
