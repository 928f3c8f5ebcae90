// Whether there is space to write. Each process looks for itself, at the same disks and by the same limits, so that all
// of them come to the same answer. The disk of a PostgreSQL that is not embedded is known only by what it says: when a
// statement fails for want of space, a trivial one tells whether the disk is full, and when it no longer is.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type AppError, databaseFull, filesFull } from '../../base/errors.ts'
import { sizeText } from '../../base/size-text.ts'
import {
  type MeasuredVolume,
  type MeasureSpace,
  measureSpace,
  measureVolume,
  type Volume,
  type VolumeName,
} from './volumes.ts'

/** Why the database is not written to. */
export interface Shortage {
  /** Undefined: PostgreSQL reports a full disk that cannot be measured from here. */
  volume?: MeasuredVolume
}

export interface DiskSpace {
  /** Undefined while writes to the database are accepted. */
  readonly shortage: Shortage | undefined
  /** Since when writes to the database are accepted; undefined: they are refused. */
  readonly writableSeconds: number | undefined
  /** As they were last measured. */
  readonly volumes: readonly MeasuredVolume[]
  /** 503 unavailable while writes to the database are refused. */
  readonly refusal: AppError | undefined
  /** @param bytes more, of a file that is stored on the disk @throws 503 unavailable */
  requireForFile(bytes: number): void
  /** Calls `listener` whenever `shortage` begins or ends. @returns ends that */
  onChange(listener: () => void): () => void
}

/** What PostgreSQL says of its disk; `unknown`: it does not respond. */
export type ProbeResult = 'full' | 'free' | 'unknown'

export interface DiskSpaceOptions {
  volumes: readonly Volume[]
  /** The setting DISK_FREE_MIN_BYTES. */
  minBytes: number | undefined
  log: Pick<Logger, 'info' | 'warn'>
  /** Asks PostgreSQL for some space. */
  probe: () => Promise<ProbeResult>
  measure?: MeasureSpace
  lookMs?: number
  probeMs?: number
}

/** A disk that is written to at 300 MB/s loses 75 MB meanwhile, less than is left at the least limit. */
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

  /** Looks immediately, then again and again until `stop`. */
  async start(): Promise<void> {
    await this.look()
    if (this.#options.volumes.length > 0) void this.#keepLooking()
  }

  stop(): void {
    this.#stopping.abort()
  }

  /** A disk that cannot be looked at, such as one that is not mounted, is as it was. */
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

  /** A statement failed since PostgreSQL has no space. */
  report(): void {
    if (!this.#isProbing && !this.#stopping.signal.aborted) void this.#probeUntilFree()
  }

  async #keepLooking(): Promise<void> {
    while (await this.#pause(this.#options.lookMs)) await this.look()
  }

  /** One statement may fail for itself, so PostgreSQL is asked before all writes are refused. */
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

  /** A server that does not respond is as full as it was. */
  async #isStillFull(): Promise<boolean> {
    const result = await this.#options.probe()
    return result === 'full' || (result === 'unknown' && this.#isReported)
  }

  /** @returns false when it was stopped meanwhile */
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
