// Fills the disk while the service runs, and checks its answers.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { errorCode } from '../../base/error-code.ts'
import { BALLAST_BYTES, type EmbeddedStage } from './embedded-stage.ts'
import { probe, type Stage } from './stage.ts'

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

/** Writes until the disk has no free byte: only for a disk that nothing else uses. */
export async function fillToTheEnd(path: string): Promise<void> {
  for (const bytes of [1 << 20, 4096]) await writePieces(path, bytes)
}

export async function fill(stage: EmbeddedStage): Promise<void> {
  const path = ballastOf(stage)
  if (stage.onSmallDisk) await fillToTheEnd(path)
  else execFileSync('fallocate', ['-l', String(BALLAST_BYTES), path])
}

const TAKE_EVERY_MS = 5

/** Fills all space that becomes free, such as that of the reserve file. @returns a function that ends the filling */
export function keepFull(stage: EmbeddedStage): () => Promise<void> {
  const stopping = new AbortController()
  const taking = (async () => {
    while (!stopping.signal.aborted) {
      await fillToTheEnd(ballastOf(stage))
      await delay(TAKE_EVERY_MS)
    }
  })()
  return async () => {
    stopping.abort()
    await taking
  }
}

const headersOf = ({ world }: Stage) => ({ authorization: `Bearer ${world.orgs[0]?.key}` })

/** A write that the accounts do not count, on a separate connection: any of several processes may answer. */
export async function tryWrite(stage: Stage) {
  const response = await fetch(`${stage.life.address}/api/v1/files/upload-url`, {
    method: 'POST',
    headers: { ...headersOf(stage), 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ bucket: 'faults', path: `${randomUUID()}.png` }),
  })
  const { details } = (await response.json()) as { details?: { reason?: string } }
  return { status: response.status, reason: details?.reason, retryAfter: response.headers.get('retry-after') }
}

export const read = async (stage: Stage) => {
  const url = `${stage.life.address}/api/v1/objects/companies/records?limit=20`
  const response = await fetch(url, { headers: headersOf(stage) })
  await response.text()
  return response.status
}

const READ_EVERY_MS = 25

/** Reads continuously. @returns a function that ends it and returns the number of answers by status */
export function startReading(stage: Stage): () => Promise<Record<number, number>> {
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

export const REFUSED = { status: 503, reason: 'disk_full', retryAfter: '10' }

export async function expectNamed({ life }: Stage): Promise<void> {
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

/** Only frees the space: the service must recover without further action. */
export async function emptyDisk(stage: EmbeddedStage): Promise<void> {
  await rm(ballastOf(stage))
  await expect.poll(() => tryWrite(stage)).toMatchObject({ status: 200 })
}
