// Copies the write-ahead log to the store: each complete segment once, and the written part of the current segment. So
// if the machine is lost, at most the changes since the last pass are lost, and an idle server stores nothing.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import type { Chain } from './chain.ts'
import { formatLsn, parseLsn, segmentName, segmentStart } from './lsn.ts'
import { BackupError, putJson, readJson } from './object-store.ts'
import type { Vault } from './vault.ts'

/** How far the log of a chain is archived. */
export interface ArchiveHead {
  /** The id of the chain; earlier versions stored none. */
  chain?: string
  /** The end of the stored log, possibly in the middle of a record. */
  lsn: string
  /** The end of a record before `lsn`: recovery that ends earlier has lost something. */
  recordEnd?: string
  /** By the database's clock: everything committed before this time is archived. */
  at: string
  /** Files stored before this time are archived. */
  filesAt?: string
}

const headName = ({ id }: Pick<Chain, 'id'>) => `${id}/head.json`
export const walPrefix = (chainId: string) => `${chainId}/wal/`
export const PARTIAL_SEGMENT = '.partial'

const SEGMENT_NAME = /^[0-9A-F]{24}$/

/** Names of segments in order, also of the current one, of which a part is stored. Other objects are left out. */
export async function storedSegments({ store }: Pick<Vault, 'store'>, chainId: string): Promise<Set<string>> {
  const names = new Set<string>()
  const prefix = walPrefix(chainId)
  for await (const name of store.list(prefix)) {
    const segment = name.slice(prefix.length).replace(PARTIAL_SEGMENT, '')
    if (SEGMENT_NAME.test(segment)) names.add(segment)
  }
  return names
}

/** @returns undefined if it is missing, damaged, or from another chain */
export async function readHead(
  { store }: Pick<Vault, 'store'>,
  chainId: string,
): Promise<ArchiveHead | undefined> {
  const head = await readJson<ArchiveHead>(store, headName({ id: chainId }))
  const isHead = typeof head?.lsn === 'string' && typeof head.at === 'string'
  return isHead && (head.chain ?? chainId) === chainId ? head : undefined
}

const PAGE_BYTES = 8192n
/** Size in the first page of a segment; the headers of other pages are shorter. */
const PAGE_HEADER_BYTES = 40n

/** The end of the last record before `next`, which may begin after the header of a new page. */
const recordEndBefore = (next: bigint): bigint =>
  next % PAGE_BYTES <= PAGE_HEADER_BYTES ? next - (next % PAGE_BYTES) : next

/** The least end of a recovery without loss; undefined: an earlier version did not record it. */
export function leastRecordEnd({ lsn, recordEnd }: ArchiveHead): bigint | undefined {
  if (recordEnd !== undefined) return parseLsn(recordEnd)
  // Earlier versions stored log up to the end of a record or of a page.
  return parseLsn(lsn) % PAGE_BYTES === 0n ? undefined : parseLsn(lsn)
}

interface Position {
  at: Date
  /** Where the next record begins; the log before it may not be on the disk yet. */
  next: string
  flush: string
  /** The position of the slot; null: log was removed before it was archived. */
  restart: string | null
  timeline: number
  segmentBytes: number
}

/** The time is that of the statement's start, and so not later than the position. */
async function selectPosition(client: Client, { slot }: Chain): Promise<Position> {
  const { rows } = await client.query<Position>(
    `select statement_timestamp() as at, pg_current_wal_insert_lsn()::text as next, flush::text, slot.restart::text,
       ('x' || left(pg_walfile_name(flush), 8))::bit(32)::int as timeline, size::int as "segmentBytes"
     from pg_current_wal_flush_lsn() flush,
       (select setting as size from pg_settings where name = 'wal_segment_size') settings
       left join (select case when wal_status <> 'lost' then restart_lsn end as restart
         from pg_replication_slots where slot_name = $1) slot on true`,
    [slot],
  )
  const [position] = rows
  if (position?.restart) return position
  throw new BackupError(
    'The write-ahead log was removed before it was archived: make a new backup, which begins a new chain',
  )
}

/** A position whose last record is completely on the disk. */
async function selectFlushed(client: Client, chain: Chain): Promise<Position> {
  const position = await selectPosition(client, chain)
  if (parseLsn(position.flush) >= recordEndBefore(parseLsn(position.next))) return position
  // Flushing a message also flushes everything before it.
  await client.query(`select pg_logical_emit_message(false, 'rapport_archive', ''::text, true)`)
  const { flush } = await selectPosition(client, chain)
  return { ...position, flush }
}

/** The first `length` bytes of a segment. */
async function readSegment(folder: string, name: string, length: number): Promise<Buffer> {
  const file = await open(join(folder, 'pg_wal', name))
  try {
    const bytes = Buffer.alloc(length)
    const { bytesRead } = await file.read(bytes, 0, length, 0)
    if (bytesRead === length) return bytes
    throw new BackupError(
      `The segment ${name} of the write-ahead log is shorter than expected: check the disk of the database`,
    )
  } finally {
    await file.close()
  }
}

async function putSegment(vault: Vault, name: string, bytes: Buffer): Promise<void> {
  if ((await vault.put(name, bytes, { ifAbsent: true })).isNew) return
  // The segment was stored before a stop, but the slot was not advanced.
  if ((await vault.get(name))?.equals(bytes)) return
  throw new BackupError(
    `${vault.store.where} has another ${name}: two installations archive to the same place, give each its own`,
  )
}

export interface WalArchive {
  /** The next pass records that files stored before this time are archived. */
  noteFiles(at: Date): void
  /** The next pass stores the position and the current segment again, even if nothing has changed. */
  storeAgain(): void
  /** Archives the log that is on the disk. @returns how far the archive reaches */
  pass(client: Client, signal: AbortSignal): Promise<ArchiveHead>
}

class Archiver implements WalArchive {
  private readonly vault: Vault
  private readonly chain: Chain
  private readonly folder: string
  private filesAt: string | undefined
  /** What the last pass has stored. */
  private stored: Pick<ArchiveHead, 'lsn' | 'filesAt'> | undefined

  constructor(vault: Vault, chain: Chain, folder: string) {
    this.vault = vault
    this.chain = chain
    this.folder = folder
  }

  noteFiles(at: Date): void {
    this.filesAt = at.toISOString()
  }

  storeAgain(): void {
    this.stored = undefined
  }

  async pass(client: Client, signal: AbortSignal): Promise<ArchiveHead> {
    const position = await selectFlushed(client, this.chain)
    const head = this.headAt(position)
    if (this.stored?.lsn === head.lsn && this.stored.filesAt === head.filesAt) return head
    await this.archiveCurrent(position, await this.archiveComplete(client, position, signal))
    await putJson(this.vault.store, headName(this.chain), head)
    this.stored = head
    return head
  }

  private headAt({ at, flush, next }: Position): ArchiveHead {
    const recordEnd = formatLsn(recordEndBefore(parseLsn(next)))
    const head: ArchiveHead = { chain: this.chain.id, lsn: flush, recordEnd, at: at.toISOString() }
    return this.filesAt === undefined ? head : { ...head, filesAt: this.filesAt }
  }

  private nameOf(segment: string): string {
    return `${walPrefix(this.chain.id)}${segment}`
  }

  /** @returns the start of the first incomplete segment */
  private async archiveComplete(client: Client, position: Position, signal: AbortSignal): Promise<bigint> {
    const { timeline, segmentBytes } = position
    const size = BigInt(segmentBytes)
    const flush = parseLsn(position.flush)
    let segment = segmentStart(parseLsn(position.restart ?? ''), segmentBytes)
    for (; segment + size <= flush; segment += size) {
      signal.throwIfAborted()
      const name = segmentName(timeline, segment, segmentBytes)
      await putSegment(this.vault, this.nameOf(name), await readSegment(this.folder, name, segmentBytes))
      await this.vault.store.delete(this.nameOf(`${name}${PARTIAL_SEGMENT}`))
      await client.query('select pg_replication_slot_advance($1, $2)', [
        this.chain.slot,
        formatLsn(segment + size),
      ])
    }
    return segment
  }

  private async archiveCurrent(position: Position, segment: bigint): Promise<void> {
    const length = Number(parseLsn(position.flush) - segment)
    if (length === 0) return
    const name = segmentName(position.timeline, segment, position.segmentBytes)
    const bytes = await readSegment(this.folder, name, length)
    await this.vault.put(this.nameOf(`${name}${PARTIAL_SEGMENT}`), bytes)
  }
}

/** @param folder PostgreSQL's data directory */
export const createWalArchive = (vault: Vault, chain: Chain, folder: string): WalArchive =>
  new Archiver(vault, chain, folder)
