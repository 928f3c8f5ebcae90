// Copies the write-ahead log to the store: segments that are complete once, and of the current one what is on the disk.
// So what is lost with the machine is bounded by the interval between two passes, and an idle server stores nothing.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import type { Chain } from './chain.ts'
import { formatLsn, parseLsn, segmentName, segmentStart } from './lsn.ts'
import { BackupError } from './object-store.ts'
import type { Vault } from './vault.ts'

/** How far the log of a chain is archived. */
export interface Head {
  lsn: string
  /** By the database's clock: what was committed before is archived. */
  at: string
}

const headName = ({ id }: Pick<Chain, 'id'>) => `${id}/head.json`
export const walPrefix = (chainId: string) => `${chainId}/wal/`
export const PARTIAL_SEGMENT = '.partial'

export async function readHead({ store }: Pick<Vault, 'store'>, chainId: string): Promise<Head | undefined> {
  const text = await store.get(headName({ id: chainId }))
  return text && JSON.parse(text.toString())
}

interface Position {
  at: Date
  flush: string
  /** Of the slot; null: the log that is not archived was removed. */
  restart: string | null
  timeline: number
  segmentBytes: number
}

/** The time is that of the statement's start: before the position. */
async function selectPosition(client: Client, { slot }: Chain): Promise<Position> {
  const { rows } = await client.query<Position>(
    `select statement_timestamp() as at, flush::text, slot.restart::text,
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
  // Stored before a stop that came before the slot was advanced.
  if ((await vault.get(name))?.equals(bytes)) return
  throw new BackupError(
    `${vault.store.where} has another ${name}: two installations archive to the same place, give each its own`,
  )
}

export interface WalArchive {
  /** Archives what is on the disk now. @returns how far the archive reaches */
  pass(client: Client, signal: AbortSignal): Promise<Head>
}

/** @param folder PostgreSQL's data directory */
export function createWalArchive(vault: Vault, chain: Chain, folder: string): WalArchive {
  let last: bigint | undefined
  const nameOf = (segment: string) => `${walPrefix(chain.id)}${segment}`

  async function archiveComplete(client: Client, position: Position, signal: AbortSignal): Promise<bigint> {
    const { timeline, segmentBytes } = position
    const size = BigInt(segmentBytes)
    const flush = parseLsn(position.flush)
    let segment = segmentStart(parseLsn(position.restart ?? ''), segmentBytes)
    for (; segment + size <= flush; segment += size) {
      signal.throwIfAborted()
      const name = segmentName(timeline, segment, segmentBytes)
      await putSegment(vault, nameOf(name), await readSegment(folder, name, segmentBytes))
      await vault.store.delete(nameOf(`${name}${PARTIAL_SEGMENT}`))
      await client.query('select pg_replication_slot_advance($1, $2)', [
        chain.slot,
        formatLsn(segment + size),
      ])
    }
    return segment
  }

  return {
    async pass(client, signal) {
      const position = await selectPosition(client, chain)
      const flush = parseLsn(position.flush)
      const head = { lsn: position.flush, at: position.at.toISOString() }
      if (last === flush) return head
      const segment = await archiveComplete(client, position, signal)
      if (flush > segment) {
        const name = segmentName(position.timeline, segment, position.segmentBytes)
        const bytes = await readSegment(folder, name, Number(flush - segment))
        await vault.put(nameOf(`${name}${PARTIAL_SEGMENT}`), bytes)
      }
      await vault.store.put(headName(chain), Buffer.from(`${JSON.stringify(head)}\n`))
      last = flush
      return head
    },
  }
}
