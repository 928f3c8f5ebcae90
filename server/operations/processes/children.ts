// The processes of the service: starts them, replaces them when they end or hang, and stops them together.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Logger } from 'pino'
import type { ChildState, ProcessReplacement } from '../diagnosis/processes.ts'
import { BEAT_MS, Heartbeats, HUNG_MS } from './heartbeats.ts'
import { type FromChild, LEFT, type ToChild } from './messages.ts'

export interface ChildKind {
  /** The name of the process in its command line and in the log: `api-1`, `worker`. */
  name: string
  /** Variables in addition to the environment of this process. */
  env: Record<string, string>
}

interface Child {
  kind: ChildKind
  worker: Worker
  isReady: boolean
  /** Whether it answers requests, and so shares the socket. */
  isListening: boolean
  /** Whether it waits until the others are ready to stop listening. */
  isLeaving: boolean
  /** Whether it was killed because it hung. */
  isHung: boolean
  startedAt: number
}

interface Options {
  log: Logger
  /** The file that each process runs. */
  main: string
  /** How long a process may accept connections before it stops. */
  drainSeconds: number
  onMessage(message: FromChild, from: Worker): void
  onEnd(worker: Worker): void
}

/** Pauses before a replacement. Each end within `SETTLED_MS` leads to the next pause. */
const PAUSES_MS = [200, 1000, 2000, 5000, 10_000, 30_000] as const
const SETTLED_MS = 60_000
/** Longer than a process takes to stop after the drain time. */
const STOP_MS = 12_000

/** The state of a process that is replaced after a pause. */
const ENDED = { pid: undefined, isReady: false, silentSeconds: undefined }

// Two processes cannot be debugged on one port.
const flags = () => process.execArgv.filter((flag) => !flag.startsWith('--inspect'))

/** Ignores a lost message: a process that was just killed may still seem to be connected. */
export const sendTo = (worker: Worker, message: ToChild): void =>
  void worker.send(message, undefined, () => undefined)

/** A process that could not start. It has printed the reason, unless a signal has ended it. */
export class ChildError extends Error {
  override readonly name = 'ChildError'
}

export class Children {
  readonly #options: Options
  readonly #children = new Set<Child>()
  /** Running pauses, each with the process that is started after it. */
  readonly #pauses = new Map<NodeJS.Timeout, ChildKind>()
  readonly #heartbeats = new Heartbeats<Child>()
  readonly #replacements = new Map<string, ProcessReplacement>()
  readonly #watch: NodeJS.Timeout
  #isStopping = false

  constructor(options: Options) {
    this.#options = options
    this.#watch = setInterval(() => this.#killHung(), BEAT_MS).unref()
    // The processes accept from one shared queue, which outlives each of them. If this process distributed connections,
    // a connection to a process that was just killed would never be answered or closed.
    cluster.schedulingPolicy = cluster.SCHED_NONE
  }

  /** The processes that have started. */
  get ready(): Worker[] {
    return this.#readyChildren().map(({ worker }) => worker)
  }

  get replacements(): readonly ProcessReplacement[] {
    return [...this.#replacements.values()]
  }

  get states(): ChildState[] {
    const running = [...this.#children].map((child) => {
      const silentMs = this.#heartbeats.silenceOf(child)
      const silentSeconds = silentMs === undefined ? undefined : Math.round(silentMs / 1000)
      return {
        ...{ name: child.kind.name, pid: child.worker.process.pid, isReady: child.isReady },
        silentSeconds,
      }
    })
    const ended = [...this.#pauses.values()].map(({ name }) => ({ ...ENDED, name }))
    return [...running, ...ended]
  }

  /**
   * Starts a process. From then on, it is replaced whenever it ends.
   * @returns its address for requests; undefined for a process that answers none
   * @throws ChildError if it ends before it has started
   */
  async start(kind: ChildKind): Promise<string | undefined> {
    if (this.#isStopping) return undefined
    const child = this.#fork(kind)
    const address = await this.#untilReady(child)
    child.worker.once('exit', (code, signal) => this.#replace(child, code, signal, 0))
    return address
  }

  /** @param name of the process; unset: all started processes */
  send(message: ToChild, name?: string): void {
    for (const { kind, worker } of this.#readyChildren())
      if (name === undefined || kind.name === name) sendTo(worker, message)
  }

  /** Each process finishes its requests in flight. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#watch)
    for (const pause of this.#pauses.keys()) clearTimeout(pause)
    const stopMs = STOP_MS + this.#options.drainSeconds * 1000
    await Promise.all([...this.#children].map(({ worker }) => stopOne(worker, stopMs)))
  }

  #readyChildren(): Child[] {
    return [...this.#children].filter(({ isReady, worker }) => isReady && worker.isConnected())
  }

  #fork(kind: ChildKind): Child {
    const { main, onMessage, log } = this.#options
    cluster.setupPrimary({ exec: main, args: ['--process', kind.name], execArgv: flags() })
    const worker = cluster.fork(kind.env)
    const state = { isReady: false, isListening: false, isLeaving: false, isHung: false }
    const child: Child = { kind, worker, ...state, startedAt: performance.now() }
    this.#children.add(child)
    worker.once('exit', () => this.#forget(child))
    worker.on('message', (message: FromChild) => {
      if (message.kind === 'alive') this.#heartbeats.beat(child)
      else if (message.kind === 'leaving') {
        child.isLeaving = true
        void this.#leaveSocket()
      } else onMessage(message, worker)
    })
    worker.on('error', (err) => {
      log.warn({ err, child: kind.name }, 'a process of the service has failed')
      // A process that never started emits no exit.
      if (worker.process.pid === undefined) worker.emit('exit', 1, '')
    })
    return child
  }

  #forget(child: Child): void {
    this.#children.delete(child)
    this.#heartbeats.forget(child)
    this.#options.onEnd(child.worker)
    if (this.#isStopping) void this.#leaveSocket()
  }

  /** Closes this process's socket when all sharing processes are ready to stop listening, and then signals them. */
  async #leaveSocket(): Promise<void> {
    const sharing = [...this.#children].filter(({ isListening }) => isListening)
    if (sharing.some(({ isLeaving }) => !isLeaving)) return
    // node:cluster closes the socket with the last channel.
    await Promise.all(sharing.map(({ worker }) => disconnect(worker)))
    for (const { worker } of sharing) worker.process.kill(LEFT)
  }

  #killHung(): void {
    for (const child of this.#heartbeats.look()) {
      const { kind, worker } = child
      const hung = { hung: kind.name, pid: worker.process.pid, silentSeconds: HUNG_MS / 1000 }
      this.#options.log.error(hung, 'a process of the service does not respond: it is killed')
      child.isHung = true
      this.#heartbeats.forget(child)
      worker.process.kill('SIGKILL')
    }
  }

  #untilReady(child: Child): Promise<string | undefined> {
    const { kind, worker } = child
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromChild) => {
        if (message.kind !== 'ready') return
        child.isReady = true
        child.isListening = message.address !== undefined
        resolve(message.address)
      })
      worker.once('exit', (code, signal) => {
        reject(new ChildError(`The process ${kind.name} could not start (${signal ?? `exit code ${code}`})`))
      })
    })
  }

  /** @param failures number of early ends in a row */
  #replace(
    child: Pick<Child, 'kind' | 'isHung' | 'startedAt'>,
    code: number,
    signal: string,
    failures: number,
  ): void {
    const { kind, startedAt } = child
    if (this.#isStopping) return
    this.#count(child)
    const early = performance.now() - startedAt < SETTLED_MS ? failures : 0
    const pauseMs = PAUSES_MS[Math.min(early, PAUSES_MS.length - 1)] ?? 0
    const ended = { ended: kind.name, code, signal, replacedInMs: pauseMs }
    this.#options.log.error(ended, 'a process of the service ended and is replaced')
    const pause = setTimeout(() => {
      this.#pauses.delete(pause)
      this.#again(kind, early + 1)
    }, pauseMs)
    this.#pauses.set(pause, kind)
  }

  #count({ kind: { name }, isHung }: Pick<Child, 'kind' | 'isHung'>): void {
    const reason = isHung ? 'hung' : 'ended'
    const before = this.#replacements.get(`${name} ${reason}`)?.count ?? 0
    const lastAt = new Date().toISOString()
    this.#replacements.set(`${name} ${reason}`, { name, reason, count: before + 1, lastAt })
  }

  #again(kind: ChildKind, failures: number): void {
    try {
      const next = this.#fork(kind)
      this.#untilReady(next).catch(() => undefined)
      next.worker.once('exit', (code, signal) => this.#replace(next, code, signal, failures))
    } catch (err) {
      this.#options.log.error({ err, child: kind.name }, 'a process of the service could not be started')
      this.#replace({ kind, isHung: false, startedAt: performance.now() }, 1, '', failures)
    }
  }
}

async function disconnect(worker: Worker): Promise<void> {
  if (!worker.isConnected()) return
  const { promise, resolve } = Promise.withResolvers<void>()
  worker.once('disconnect', resolve)
  worker.process.disconnect()
  await promise
}

async function stopOne(worker: Worker, stopMs: number): Promise<void> {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), stopMs)
  await ended
  clearTimeout(timer)
}
