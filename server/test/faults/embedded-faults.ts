// The faults of the embedded server itself: killed, paused, without room.
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { serverPids } from '../../db/embedded/fixture-process.ts'
import { sendSignal } from '../../db/embedded/leftovers.ts'
import { errorCode } from '../../db/error-code.ts'
import type { EmbeddedStage } from './embedded-stage.ts'
import type { Fault } from './fault.ts'

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

const roomOf = async ({ dataDir }: EmbeddedStage) => (await statfs(dataDir)).bavail

const fillingDisk: EmbeddedFault = {
  name: 'disk full',
  named: 'space',
  refuses: true,
  async begin(stage) {
    for (const bytes of [1 << 20, 4096]) await writePieces(ballastOf(stage), bytes)
    expect(await roomOf(stage)).toBe(0)
  },
  end: (stage) => rm(ballastOf(stage)),
}

export const embeddedFaults: readonly EmbeddedFault[] = [killingSession(), killingServer(), pausingServer()]

/** On a small disk only. */
export const diskFaults: readonly EmbeddedFault[] = [fillingDisk]
