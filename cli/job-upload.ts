// Sends a file to its job, and continues after a lost connection to the database.
import { createReadStream } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Caller } from '../server/base/caller.ts'
import { AppError } from '../server/base/errors.ts'
import { isDatabaseUnavailable } from '../server/db/unavailable.ts'
import type { SourceFile } from './job-reference.ts'
import { showProgress } from './progress.ts'
import type { CliSession } from './session.ts'

const MB = 1024 * 1024
const PAUSE_MS = 500
const AWAY_MS_MAX = 60_000

interface Sending {
  session: CliSession
  caller: Caller
  jobId: string
  source: SourceFile
  onProgress: (bytes: number) => void
}

async function* bytesFrom({ session: { signal }, source, onProgress }: Sending, start: number) {
  let at = start
  for await (const bytes of createReadStream(source.path, { start })) {
    signal.throwIfAborted()
    yield bytes as Buffer
    at += (bytes as Buffer).length
    onProgress(at)
  }
}

async function sendRest(sending: Sending, onOffset: (bytes: number) => void): Promise<void> {
  const { readUpload, receivePiece } = await import('../server/record-jobs/upload.ts')
  const { session, caller, jobId } = sending
  const { offset, isComplete } = await readUpload(session.ctx, caller, jobId)
  onOffset(offset)
  if (isComplete) return
  const source = bytesFrom(sending, offset)
  await receivePiece(session.ctx, caller, jobId, { offset, isLast: true, source })
}

/** Whether another command also sends the file, or the response to a piece was lost. */
const isOutOfStep = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'wrong_offset' || error.code === 'wrong_state')

/** Sends the missing bytes, if any, to the job. @throws if `session.signal` aborts */
async function sendAll(sending: Sending): Promise<void> {
  const { signal } = sending.session
  let [arrived, movedAt] = [-1, performance.now()]
  const onOffset = (offset: number) => {
    if (offset > arrived) [arrived, movedAt] = [offset, performance.now()]
  }
  for (;;) {
    try {
      return await sendRest(sending, onOffset)
    } catch (error) {
      const mayGoOn = isDatabaseUnavailable(error) || isOutOfStep(error)
      if (signal.aborted || !mayGoOn) throw error
      if (performance.now() - movedAt > AWAY_MS_MAX)
        throw new Error('The database does not respond: give the command again, it goes on where it was', {
          cause: error,
        })
      await delay(PAUSE_MS, undefined, { signal })
    }
  }
}

export async function sendFile(sending: Omit<Sending, 'onProgress'>): Promise<void> {
  const progress = showProgress('Sending', sending.source.size / MB, 'MB')
  try {
    await sendAll({ ...sending, onProgress: (bytes) => progress.update(bytes / MB) })
  } finally {
    progress.stop()
  }
}
