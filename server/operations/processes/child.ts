// The child's side: a child is one of several processes of the service, started by children.ts.
import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ReadMetrics } from '../../http/metrics.ts'
import { spaced, wakeAll } from '../../jobs/notices.ts'
import type { Wake } from '../../jobs/wake.ts'
import { BEAT_MS } from './heartbeats.ts'
import { type FromChild, LEFT, type ToChild } from './messages.ts'

/** @param onLost called if the channel has ended. Without a callback, sending would end this process. */
function send(message: FromChild, onLost: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, (error) => {
    if (error) onLost()
  })
}

function onMessage(listener: (message: ToChild) => void): void {
  process.on('message', (message) => listener(message as ToChild))
}

/** From here on, the first process expects regular messages from the event loop. It kills this process without them. */
export const beat = (): void => void setInterval(() => send({ kind: 'alive' }), BEAT_MS).unref()

/** @param address for requests; undefined for a process that answers none */
export const sendReady = (address: string | undefined): void => send({ kind: 'ready', address })

/** A limit, because other processes may wait for their connections to end, or hang. */
const LEAVING_MS_MAX = 5000

/**
 * Resolves when the first process has closed the socket. If it closed the socket after the other processes, connections
 * in between would be reset.
 */
export async function leaveSocket(log: Pick<Logger, 'warn'>): Promise<void> {
  if (!cluster.worker) return
  // Otherwise this process ends with the channel.
  cluster.worker.exitedAfterDisconnect = true
  const { promise: left, resolve } = Promise.withResolvers<void>()
  // The listener is never removed: without it, the signal ends this process.
  process.on(LEFT, () => resolve())
  send({ kind: 'leaving' })
  const late = await Promise.race([left, delay(LEAVING_MS_MAX, 'late')])
  if (late)
    log.warn('another process still holds the socket: what connects while this one stops may be reset')
}

/** Resolves when the first process has built the pages, or found them built. @throws Error if that has failed */
export const pagesBuilt = (): Promise<false> =>
  new Promise((resolve, reject) => {
    onMessage((message) => {
      if (message.kind !== 'pages') return
      if (message.isBuilt) resolve(false)
      else reject(new Error('the first process could not build them'))
    })
  })

/** Sends no metrics if they cannot be read: a database that does not answer must not end this process. */
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

/** Wakes the worker after commits of this process. Otherwise it would see them only at its next poll. */
export const sendWakes = (wake: Pick<Wake, 'onWrite'>): void =>
  void wake.onWrite(spaced(WAKES_APART_MS, () => send({ kind: 'wake' })))

/** The worker's side. */
export function hearWakes(wake: Pick<Wake, 'events' | 'work'>): void {
  const hear = wakeAll(wake)
  onMessage(({ kind }) => {
    if (kind === 'wake') hear()
  })
}
