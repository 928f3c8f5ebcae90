// Writes the archived log of a chain into the folder of a restored database, where recovery reads it.
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { formatLsn, parseLsn, segmentName, segmentStart } from './lsn.ts'
import type { BackupManifest } from './manifest.ts'
import { BackupError } from './object-store.ts'
import type { Vault } from './vault.ts'
import { type ArchiveHead, PARTIAL_SEGMENT, storedSegments, walPrefix } from './wal-archive.ts'

export interface RestoredLog {
  segments: number
  /** Unreadable parts, for the operator, in the order of the log. Recovery ends at the first of them. */
  problems: string[]
}

interface Segment {
  bytes: Buffer
  problem: string | undefined
}

/** The offset of the position in a page header. */
const POSITION_AT = 8

const isOfPosition = (bytes: Buffer, start: bigint): boolean =>
  bytes.length < POSITION_AT + 8 || bytes.readBigUInt64LE(POSITION_AT) === start

type Torn = Awaited<ReturnType<Vault['getTorn']>>

function problemOf(
  name: string,
  found: readonly Exclude<Torn, undefined>[],
  start: bigint,
): string | undefined {
  if (found.some(({ isTorn }) => isTorn)) return `${name} is torn or cannot be decrypted`
  return found.every(({ bytes }) => isOfPosition(bytes, start)) ? undefined : `${name} is another segment`
}

/** A segment, or the readable part of an object that is cut off or was stored as the current segment. */
async function readSegment(vault: Vault, name: string, start: bigint): Promise<Segment | undefined> {
  const whole = await vault.getTorn(name)
  if (whole && !whole.isTorn && isOfPosition(whole.bytes, start))
    return { bytes: whole.bytes, problem: undefined }
  const partial = await vault.getTorn(`${name}${PARTIAL_SEGMENT}`)
  const found = [whole, partial].filter((one) => one !== undefined)
  if (found.length === 0) return undefined
  const usable = found.filter(({ bytes }) => isOfPosition(bytes, start)).map(({ bytes }) => bytes)
  const best = usable.reduce((one, other) => (other.length > one.length ? other : one), Buffer.alloc(0))
  return { bytes: best, problem: problemOf(name.slice(name.lastIndexOf('/') + 1), found, start) }
}

/** Reads again if nothing is found: the archiver may just have replaced a partial segment by the complete one. */
const readTwice = async (vault: Vault, name: string, start: bigint): Promise<Segment | undefined> =>
  (await readSegment(vault, name, start)) ?? readSegment(vault, name, start)

/** PostgreSQL accepts only segments of full size. The rest is filled with zeros, at which the log ends. */
async function writeSegment(folder: string, name: string, bytes: Buffer, size: number): Promise<void> {
  const file = await open(join(folder, name), 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.truncate(size)
  } finally {
    await file.close()
  }
}

/** The timeline's digits at the start of a segment's name. */
const TIMELINE_DIGITS = 8

interface LogFolder {
  folder: string
  /** The name of the last segment that is stored or should be. */
  last: string
  signal: AbortSignal
}

interface WrittenLog extends RestoredLog {
  /** The end of the log that was written without a gap. */
  end: bigint
}

/** A limit, because a single stray segment far ahead would make every segment before it a problem. */
const PROBLEMS_MAX = 100

/** Writes segments up to the first problem, and searches the rest for more problems. */
async function writeLog(
  vault: Vault,
  { chain, startLsn, timeline, segmentBytes }: BackupManifest,
  { folder, last, signal }: LogFolder,
): Promise<WrittenLog> {
  let at = segmentStart(parseLsn(startLsn), segmentBytes)
  const log: WrittenLog = { segments: 0, problems: [], end: at }
  for (let name = ''; name < last && log.problems.length < PROBLEMS_MAX; at += BigInt(segmentBytes)) {
    signal.throwIfAborted()
    name = segmentName(timeline, at, segmentBytes)
    const found = await readTwice(vault, `${walPrefix(chain)}${name}`, at)
    if (found && log.problems.length === 0) {
      await writeSegment(folder, name, found.bytes, segmentBytes)
      log.segments++
      log.end = at + BigInt(found.bytes.length)
    }
    const isShort = name < last && found !== undefined && found.bytes.length < segmentBytes
    const problem = found
      ? (found.problem ?? (isShort ? `${name} is not complete` : undefined))
      : `${name} is missing`
    if (problem !== undefined) log.problems.push(problem)
  }
  return log
}

/** Compares the written log with the end that the chain has recorded. */
function problemsAtEnd({ problems, end }: WrittenLog, head: ArchiveHead | undefined): string[] {
  if (head === undefined)
    return ['head.json of the chain is missing or damaged, so it is not known where the log ends']
  if (problems.length > 0 || end >= parseLsn(head.lsn)) return []
  return [`the log ends at ${formatLsn(end)}, and was archived up to ${head.lsn}`]
}

/**
 * @param cluster PostgreSQL's data directory, from the base backup
 * @param head read before the log, so that every segment that it names is stored
 * @throws BackupError if log is missing that the base backup itself needs
 */
export async function restoreLog(
  vault: Vault,
  backup: BackupManifest,
  { cluster, head, signal }: { cluster: string; head: ArchiveHead | undefined; signal: AbortSignal },
): Promise<RestoredLog> {
  const folder = join(cluster, 'pg_wal')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { timeline, segmentBytes } = backup
  const ofTimeline = segmentName(timeline, 0n, segmentBytes).slice(0, TIMELINE_DIGITS)
  const all = [...(await storedSegments(vault, backup.chain))]
  const stored = all.findLast((name) => name.startsWith(ofTimeline)) ?? ''
  const needed = head ? segmentName(timeline, parseLsn(head.lsn) - 1n, segmentBytes) : ''
  const last = stored > needed ? stored : needed
  const log = await writeLog(vault, backup, { folder, last, signal })
  const problems = [...log.problems, ...problemsAtEnd(log, head)]
  if (log.end >= parseLsn(backup.endLsn)) return { segments: log.segments, problems }
  throw new BackupError(
    `The backup cannot be restored: the write-ahead log that it needs is not complete (${problems.join('; ')}): choose an earlier time or an older backup`,
  )
}
