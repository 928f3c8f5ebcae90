// Starts jobs over HTTP and waits for them, as an integration does.
import { setTimeout as delay } from 'node:timers/promises'
import type { Job, NewJob } from '../../contract/jobs.ts'
import type { NewUndoJob, UndoJob } from '../../contract/undo-jobs.ts'

export interface JobsClient {
  /** Resolves when the service has the whole file. */
  importFile(job: Partial<NewJob>, content: Iterable<Uint8Array>): Promise<Job>
  undo(body: NewUndoJob): Promise<UndoJob>
  /** Resolves when the job is completed. @throws Error when it ends with another status */
  completed<Ended extends object>(path: string): Promise<Ended>
}

const LOOK_EVERY_MS = 50

interface Progress {
  status: string
  error: string | null
}

export function openJobsClient(url: string, key: string): JobsClient {
  async function ask<Answer>(path: string, init: RequestInit & { duplex?: 'half' } = {}): Promise<Answer> {
    const response = await fetch(`${url}/api/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
    return JSON.parse(text) as Answer
  }
  const post = <Answer>(path: string, body: object) =>
    ask<Answer>(path, { method: 'POST', body: JSON.stringify(body) })
  return {
    async importFile(job, content) {
      const created = await post<Job>('/jobs', { type: 'import', objectId: 'people', ...job })
      await ask(`/jobs/${created.id}/content`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/x-ndjson', 'upload-offset': '0', 'upload-complete': '?1' },
        body: ReadableStream.from(content),
        duplex: 'half',
      })
      return created
    },
    undo: (body) => post<UndoJob>('/undo-jobs', body),
    async completed<Ended extends object>(path: string) {
      for (;;) {
        const found = await ask<Progress & Ended>(path)
        const { status, error } = found
        if (status === 'completed') return found
        if (status !== 'queued' && status !== 'running') throw new Error(`${path} is ${status}: ${error}`)
        await delay(LOOK_EVERY_MS)
      }
    },
  }
}
