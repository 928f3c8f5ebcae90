// Faults of the embedded server: killed, paused, without space on its disk.
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { serverPids } from '../../db/embedded/fixture-process.ts'
import { sendSignal } from '../../db/embedded/leftovers.ts'
import { type EmbeddedStage, mayMountDisk } from './embedded-stage.ts'
import type { Fault } from './fault.ts'
import { emptyDisk, expectNamed, fill, keepFull, REFUSED, read, startReading, tryWrite } from './filling.ts'
import { growLog, keepPostgresLog, postgresLog } from './full-log.ts'
import { TIMES } from './options.ts'

type EmbeddedFault = Fault<EmbeddedStage>

const postmasterOf = async ({ dataDir }: EmbeddedStage) => (await serverPids(dataDir))[0] ?? 0

/** The time of the last start of the server, or of its last recovery. */
const startedAt = ({ db }: EmbeddedStage) =>
  db.value<string>(sql`
      select backend_start::text as at from pg_stat_activity where backend_type = 'checkpointer'`)

/** PostgreSQL then ends all sessions, because the killed one may have left shared memory inconsistent. */
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

/** The service starts a new server. */
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

export function fillingDisk(): EmbeddedFault {
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
      try {
        expect(await tryWrite(stage)).toEqual(REFUSED)
        await expectNamed(stage)
      } finally {
        await emptyDisk(stage)
        expect(Object.keys(await stopReading())).toEqual(['200'])
      }
    },
  }
}

/** The recovery of the server needs space, which the reserve file provides. */
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
      try {
        await killing.end(stage)
        await expect.poll(() => read(stage)).toBe(200)
        expect(await tryWrite(stage)).toEqual(REFUSED)
      } finally {
        await emptyDisk(stage)
      }
    },
  }
}

const PANIC = /PANIC: +could not write to file "[^"]+": No space left on device/

/**
 * PostgreSQL ends with a PANIC. The space that the reserve file frees is filled too, unless recovery is faster: then
 * reads are answered.
 */
function fillingToTheEnd(): EmbeddedFault {
  let stopFilling = async (): Promise<void> => undefined
  return {
    name: 'disk full to the last byte, while the log grows',
    named: 'disk',
    refuses: true,
    async begin(stage) {
      await keepPostgresLog(stage)
      stopFilling = keepFull(stage)
      await growLog(stage)
    },
    async end(stage) {
      try {
        await expect.poll(() => postgresLog(stage)).toMatch(PANIC)
        expect(await tryWrite(stage)).toMatchObject({ status: 503 })
      } finally {
        await stopFilling()
        await emptyDisk(stage)
      }
    },
  }
}

/** On a shared disk PostgreSQL always finds space. */
const ofSmallDisk = mayMountDisk() ? [fillingToTheEnd()] : []

export const embeddedFaults: readonly EmbeddedFault[] = [
  ...[killingSession(), killingServer(), pausingServer()],
  ...Array.from({ length: TIMES }, fillingDisk),
  ...[killingServerOnFullDisk(), ...ofSmallDisk],
]
