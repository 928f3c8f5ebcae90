// The side of a child: one of several processes of the service, started by children.ts.
import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ReadMetrics } from '../../http/metrics.ts'
import { spaced, wakeAll } from '../../jobs/notices.ts'
import type { Wake } from '../../jobs/wake.ts'
import { BEAT_MS } from './heartbeats.ts'
import { type FromChild, LEFT, type ToChild } from './messages.ts'

/** @param onLost called when the channel has ended, which without a callback ends this process */
function send(message: FromChild, onLost: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, (error) => {
    if (error) onLost()
  })
}

function onMessage(listener: (message: ToChild) => void): void {
  process.on('message', (message) => listener(message as ToChild))
}

/** From here on the first process expects to hear that the event loop runs, and kills this process when it does not. */
export const beat = (): void => void setInterval(() => send({ kind: 'alive' }), BEAT_MS).unref()

/** @param address where it answers requests, if it does */
export const sendReady = (address: string | undefined): void => send({ kind: 'ready', address })

/** Others of these processes may still have to wait for the ends of their connections, or hang. */
const LEAVING_MS_MAX = 5000

/**
 * Settles when the first process holds the socket no longer. It would hold it for a moment after the last of the others
 * has closed it: what connects then would be reset.
 */
export async function leaveSocket(log: Pick<Logger, 'warn'>): Promise<void> {
  if (!cluster.worker) return
  // Otherwise the end of the channel ends this process.
  cluster.worker.exitedAfterDisconnect = true
  const { promise: left, resolve } = Promise.withResolvers<void>()
  // It stays: without a listener the signal ends this process.
  process.on(LEFT, () => resolve())
  send({ kind: 'leaving' })
  const late = await Promise.race([left, delay(LEAVING_MS_MAX, 'late')])
  if (late)
    log.warn('another process still holds the socket: what connects while this one stops may be reset')
}

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
  const answer = (id: number, text?: string) => {
    waiting.get(id)?.(text)
    waiting.delete(id)
  }
  onMessage((message) => {
    if (message.kind === 'collect') void answerCollect(own, message.id)
    if (message.kind === 'gathered') answer(message.id, message.text)
  })
  process.once('disconnect', () => {
    for (const id of waiting.keys()) answer(id)
  })
  return async () => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const id = ++last
    waiting.set(id, resolve)
    send({ kind: 'gather', id }, () => answer(id))
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
