import { expect, test } from 'vitest'
import { ApiError } from '../../../shared/api/errors.ts'
import { pauseFor, uploadResumed } from './resumed-upload.ts'

const lost = () => new ApiError(0, { error: 'unreachable', message: 'lost' })
const refused = () => new ApiError(400, { error: 'validation_error', message: 'no table' })

interface Script {
  /** What each attempt to send does: the offset that is received before the connection is lost, or the end. */
  sends: (number | 'done' | Error)[]
  /** Whether the file is complete although its response was lost. */
  isComplete?: boolean
}

function scripted({ sends, isComplete = false }: Script) {
  const sentFrom: number[] = []
  const pauses: number[] = []
  const states: boolean[] = []
  const stopper = new AbortController()
  let at = 0
  const requests = {
    async send(offset: number) {
      sentFrom.push(offset)
      const next = sends[sentFrom.length - 1] ?? 'done'
      if (next === 'done') return 'sent'
      if (next instanceof Error) throw next
      at = next
      throw lost()
    },
    received: async () => ({ offset: at, isComplete }),
    result: async () => 'read',
  }
  const pausing = {
    onPause: (isPaused: boolean) => void states.push(isPaused),
    pause: async (ms: number) => void pauses.push(ms),
    signal: stopper.signal,
  }
  return { sentFrom, pauses, states, stopper, requests, pausing }
}

test('continues at the offset that the service has received', async () => {
  const { requests, pausing, sentFrom, pauses, states } = scripted({ sends: [100, 100, 100, 250, 'done'] })
  expect(await uploadResumed(requests, pausing)).toBe('sent')
  expect(sentFrom).toEqual([0, 100, 100, 100, 250])
  expect(pauses).toEqual([1000, 1000, 2000, 4000])
  expect(states).toEqual([false, true, false, true, false, true, false, true, false])
})

test('reads the import if only the response was lost', async () => {
  const { requests, pausing } = scripted({ sends: [100], isComplete: true })
  expect(await uploadResumed(requests, pausing)).toBe('read')
})

test('ends after ten attempts without progress, with growing pauses', async () => {
  const { requests, pausing, pauses, sentFrom } = scripted({ sends: Array.from({ length: 20 }, () => 0) })
  await expect(uploadResumed(requests, pausing)).rejects.toThrow('lost')
  expect(sentFrom).toHaveLength(10)
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000])
})

test('does not repeat what the service refuses', async () => {
  const { requests, pausing, sentFrom } = scripted({ sends: [refused()] })
  await expect(uploadResumed(requests, pausing)).rejects.toThrow('no table')
  expect(sentFrom).toEqual([0])
})

test('ends when it is cancelled in a pause', async () => {
  const { requests, pausing, stopper } = scripted({ sends: [0, 0] })
  const upload = uploadResumed(requests, {
    ...pausing,
    pause(ms, signal) {
      const paused = pauseFor(ms, signal)
      stopper.abort(new Error('cancelled'))
      return paused
    },
  })
  await expect(upload).rejects.toThrow('cancelled')
})
