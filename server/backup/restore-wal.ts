// Puts the archived log of a chain beside a restored database, where recovery reads it.
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { parseLsn, segmentName, segmentStart } from './lsn.ts'
import type { Manifest } from './manifest.ts'
import { BackupError } from './object-store.ts'
import type { Vault } from './vault.ts'
import { PARTIAL_SEGMENT, walPrefix } from './wal-archive.ts'

export interface RestoredLog {
  segments: number
  /** What could not be read, for the operator; undefined: all of it could. */
  problem: string | undefined
}

interface Segment {
  bytes: Buffer
  problem: string | undefined
}

/** A segment, or what there is of it: of an object that is cut off, or of one that was current when it was stored. */
async function readSegment(vault: Vault, name: string): Promise<Segment | undefined> {
  const whole = await vault.getTorn(name)
  if (whole && !whole.isTorn) return { bytes: whole.bytes, problem: undefined }
  const partial = await vault.getTorn(`${name}${PARTIAL_SEGMENT}`)
  const best = [whole, partial].reduce((one, other) =>
    (other?.bytes.length ?? 0) > (one?.bytes.length ?? -1) ? other : one,
  )
  if (best === undefined) return undefined
  const isTorn = Boolean(whole?.isTorn || partial?.isTorn)
  return { bytes: best.bytes, problem: isTorn ? `${name} is torn or cannot be decrypted` : undefined }
}

/** PostgreSQL takes segments of their full size alone; what is missing is zeros, where the log ends. */
async function writeSegment(folder: string, name: string, bytes: Buffer, size: number): Promise<void> {
  const file = await open(join(folder, name), 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.truncate(size)
  } finally {
    await file.close()
  }
}

/** The last segment of the chain that is stored. */
async function lastSegment(vault: Vault, chain: string): Promise<string> {
  let last = ''
  for await (const name of vault.store.list(walPrefix(chain)))
    last = name.slice(walPrefix(chain).length).replace(PARTIAL_SEGMENT, '')
  return last
}

/**
 * @param cluster PostgreSQL's data directory, from the base backup
 * @throws BackupError when log is missing that the base backup itself needs
 */
export async function restoreLog(
  vault: Vault,
  { chain, startLsn, endLsn, timeline, segmentBytes }: Manifest,
  cluster: string,
  signal: AbortSignal,
): Promise<RestoredLog> {
  const folder = join(cluster, 'pg_wal')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const last = await lastSegment(vault, chain)
  const log: RestoredLog = { segments: 0, problem: undefined }
  let at = segmentStart(parseLsn(startLsn), segmentBytes)
  for (let name = ''; name < last && log.problem === undefined; at += BigInt(segmentBytes)) {
    signal.throwIfAborted()
    name = segmentName(timeline, at, segmentBytes)
    const found = await readSegment(vault, `${walPrefix(chain)}${name}`)
    log.problem = found ? found.problem : `${name} is missing`
    if (found === undefined) break
    await writeSegment(folder, name, found.bytes, segmentBytes)
    log.segments++
    // The end of a whole segment is that of its bytes too.
    if (found.bytes.length < segmentBytes) {
      at += BigInt(found.bytes.length)
      break
    }
  }
  if (at >= parseLsn(endLsn)) return log
  throw new BackupError(
    `The backup cannot be restored: the write-ahead log that it needs is not complete (${log.problem ?? 'its end is missing'}): choose an earlier time or an older backup`,
  )
}
