// Watches whether there is space to write. Each process measures the same disks with the same limits, so all
// processes get the same result. The disk of an external PostgreSQL cannot be measured. When a statement fails because
// the disk is full, a small probe statement shows whether the disk really is full, and when it has space again.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type AppError, databaseFull, filesFull } from '../../base/errors.ts'
import { sizeText } from '../../base/size-text.ts'
import { checkAgainMs } from './judge.ts'
import {
  type MeasuredVolume,
  type MeasureSpace,
  measureSpace,
  measureVolume,
  type Volume,
  type VolumeName,
} from './volumes.ts'

/** Why writes to the database are refused. */
export interface Shortage {
  /** Undefined: PostgreSQL reports a full disk that cannot be measured from here. */
  volume?: MeasuredVolume
}

export interface DiskSpace {
  /** Undefined while writes to the database are accepted. */
  readonly shortage: Shortage | undefined
  /** For how many seconds writes to the database have been accepted; undefined: they are refused. */
  readonly writableSeconds: number | undefined
  /** The last measurement of each disk. */
  readonly volumes: readonly MeasuredVolume[]
  /** 503 unavailable while writes to the database are refused. */
  readonly refusal: AppError | undefined
  /** @param bytes the bytes that a file would add to the disk @throws 503 unavailable */
  requireForFile(bytes: number): void
  /** Calls `listener` when a `shortage` begins or ends. @returns a function that removes the listener */
  onChange(listener: () => void): () => void
}

/** Whether PostgreSQL has space; `unknown`: it does not respond. */
export type ProbeResult = 'full' | 'free' | 'unknown'

export interface DiskSpaceOptions {
  volumes: readonly Volume[]
  /** The setting DISK_FREE_MIN_BYTES. */
  minBytes: number | undefined
  log: Pick<Logger, 'info' | 'warn'>
  /** Runs a statement that needs some disk space. */
  probe: () => Promise<ProbeResult>
  measure?: MeasureSpace
  lookMs?: number
  probeMs?: number
}

/** Near the limit: at 300 MB/s, 75 MB are written between two checks, less than the smallest limit (96 MiB). */
const LOOK_MS = 250
const PROBE_MS = 5000

const OF_DATABASE: ReadonlySet<VolumeName> = new Set(['database', 'log'])

const sizesOf = ({ freeBytes, limits }: MeasuredVolume) => ({
  freeBytes,
  neededBytes: limits.resumeBytes,
})

export class WatchedDiskSpace implements DiskSpace {
  readonly #options: Required<DiskSpaceOptions>
  readonly #listeners = new Set<() => void>()
  readonly #stopping = new AbortController()
  #measured: readonly MeasuredVolume[] = []
  #isReported = false
  #isProbing = false
  #wasShort = false
  #writableAt = performance.now()

  constructor(options: DiskSpaceOptions) {
    this.#options = { measure: measureSpace, lookMs: LOOK_MS, probeMs: PROBE_MS, ...options }
  }

  get volumes(): readonly MeasuredVolume[] {
    return this.#measured
  }

  get shortage(): Shortage | undefined {
    const volume = this.#measured.find(({ name, fill }) => OF_DATABASE.has(name) && fill === 'full')
    if (volume) return { volume }
    return this.#isReported ? {} : undefined
  }

  get writableSeconds(): number | undefined {
    return this.shortage ? undefined : (performance.now() - this.#writableAt) / 1000
  }

  get refusal(): AppError | undefined {
    const { shortage } = this
    return shortage && databaseFull(shortage.volume && sizesOf(shortage.volume))
  }

  requireForFile(bytes: number): void {
    const volume = this.#measured.find(({ name }) => name === 'files')
    if (volume === undefined) return
    const { freeBytes, limits, fill, folder } = volume
    if (fill !== 'full' && freeBytes - bytes >= limits.minBytes) return
    throw filesFull({ folder, freeBytes, neededBytes: bytes + limits.minBytes })
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Measures now, then every `lookMs` until `stop`, less often if no disk is nearly full. */
  async start(): Promise<void> {
    await this.look()
    if (this.#options.volumes.length > 0) void this.#keepLooking()
  }

  stop(): void {
    this.#stopping.abort()
  }

  /** Measures the disks. A disk that cannot be measured, such as one that is not mounted, keeps its last state. */
  async look(): Promise<void> {
    const { volumes, minBytes, measure } = this.#options
    const measured: MeasuredVolume[] = []
    for (const volume of volumes) {
      const known = this.#measured.find(({ name }) => name === volume.name)
      const now = await measureVolume(volume, { minBytes, before: known?.fill ?? 'enough', measure }).catch(
        () => known,
      )
      if (now) measured.push(now)
    }
    const before = this.#measured
    this.#measured = measured
    this.#tellOfFiles(before)
    this.#tell()
  }

  /** Reports that a statement failed because PostgreSQL has no space. */
  report(): void {
    if (!this.#isProbing && !this.#stopping.signal.aborted) void this.#probeUntilFree()
  }

  async #keepLooking(): Promise<void> {
    while (await this.#pause(this.#lookAgainMs())) await this.look()
  }

  /** A disk that cannot be measured may become measurable at any time. */
  #lookAgainMs(): number {
    const { volumes, lookMs } = this.#options
    return this.#measured.length < volumes.length ? lookMs : checkAgainMs(this.#measured, lookMs)
  }

  /** A single statement may need too much space, so PostgreSQL is probed before all writes are refused. */
  async #probeUntilFree(): Promise<void> {
    this.#isProbing = true
    while (await this.#isStillFull()) {
      this.#isReported = true
      this.#tell()
      if (!(await this.#pause(this.#options.probeMs))) return
    }
    this.#isReported = false
    this.#isProbing = false
    this.#tell()
  }

  /** If the server does not respond, the last known state applies. */
  async #isStillFull(): Promise<boolean> {
    const result = await this.#options.probe()
    return result === 'full' || (result === 'unknown' && this.#isReported)
  }

  /** @returns false if `stop` was called during the pause */
  async #pause(ms: number): Promise<boolean> {
    const { signal } = this.#stopping
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined)
    return !signal.aborted
  }

  #tell(): void {
    const { shortage } = this
    if (this.#wasShort === (shortage !== undefined)) return
    this.#wasShort = shortage !== undefined
    this.#writableAt = performance.now()
    const { log } = this.#options
    if (shortage) log.warn(logOf(shortage.volume), 'the disk of the database is full: writes are refused')
    else log.info('the disk of the database has space again: writes are accepted')
    for (const listener of [...this.#listeners]) listener()
  }

  #tellOfFiles(before: readonly MeasuredVolume[]): void {
    const of = (volumes: readonly MeasuredVolume[]) => volumes.find(({ name }) => name === 'files')
    const [was, now] = [of(before)?.fill === 'full', of(this.#measured)]
    if (!now || was === (now.fill === 'full')) return
    const { log } = this.#options
    if (was) log.info('the disk for files has space again: uploads are accepted')
    else log.warn(logOf(now), 'the disk for files is full: uploads are refused')
  }
}

function logOf(volume: MeasuredVolume | undefined): object {
  if (volume === undefined) return { reported: 'by PostgreSQL (53100)' }
  const { folder, freeBytes, limits } = volume
  return {
    folder,
    free: sizeText(freeBytes),
    min: sizeText(limits.minBytes),
    until: sizeText(limits.resumeBytes),
  }
}
