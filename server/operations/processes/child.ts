// The side of a child: one of several processes of the service, started by children.ts.

import type { ReadMetrics } from '../../http/metrics.ts'
import { spaced, wakeAll } from '../../jobs/notices.ts'
import type { Wake } from '../../jobs/wake.ts'
import { BEAT_MS } from './heartbeats.ts'
import type { FromChild, ToChild } from './messages.ts'

const send = (message: FromChild) => void process.send?.(message)

function onMessage(listener: (message: ToChild) => void): void {
  process.on('message', (message) => listener(message as ToChild))
}

/** From here on the first process expects to hear that the event loop runs, and kills this process when it does not. */
export const beat = (): void => void setInterval(() => send({ kind: 'alive' }), BEAT_MS).unref()

/** @param address where it answers requests, if it does */
export const sendReady = (address: string | undefined): void => send({ kind: 'ready', address })

/** Settles when the first process has built the pages, or has found them built. @throws Error when it could not */
export const pagesBuilt = (): Promise<false> =>
  new Promise((resolve, reject) => {
    onMessage((message) => {
      if (message.kind !== 'pages') return
      if (message.isBuilt) resolve(false)
      else reject(new Error('the first process could not build them'))
    })
  })

/** Without metrics where they cannot be read: a database that does not answer must not end this process. */
async function answerCollect(own: Pick<ReadMetrics, 'getMetricsAsJSON'>, id: number): Promise<void> {
  const metrics = await own.getMetricsAsJSON().catch(() => [])
  send({ kind: 'metrics', id, metrics })
}

/** Lets the first process collect the metrics of this one. @returns all processes' metrics as text */
export function shareMetrics(own: Pick<ReadMetrics, 'getMetricsAsJSON'>): () => Promise<string> {
  const waiting = new Map<number, (text: string | undefined) => void>()
  let last = 0
  onMessage((message) => {
    if (message.kind === 'collect') void answerCollect(own, message.id)
    if (message.kind === 'gathered') {
      waiting.get(message.id)?.(message.text)
      waiting.delete(message.id)
    }
  })
  return async () => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const id = ++last
    waiting.set(id, resolve)
    send({ kind: 'gather', id })
    const text = await promise
    if (text === undefined) throw new Error('the first process could not put the metrics together')
    return text
  }
}

const WAKES_APART_MS = 5

/** Wakes the worker after commits of this process: by itself it would only notice them when it polls. */
export const sendWakes = (wake: Pick<Wake, 'onWrite'>): void =>
  void wake.onWrite(spaced(WAKES_APART_MS, () => send({ kind: 'wake' })))

/** The side of the worker. */
export function hearWakes(wake: Pick<Wake, 'events' | 'work'>): void {
  const hear = wakeAll(wake)
  onMessage(({ kind }) => {
    if (kind === 'wake') hear()
  })
}
