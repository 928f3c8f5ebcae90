// A chain: the write-ahead log of one server without a gap, with the backups that it continues. A replication slot
// keeps log on the server until it is archived. If the server had to remove it earlier, a new chain begins.
import { hash, randomBytes } from 'node:crypto'
import type { Client } from 'pg'

export interface Chain {
  /** The folder of the chain in the store; also its id. */
  id: string
  slot: string
}

const PREFIX = 'rapport_backup_'
const ONCE_PREFIX = 'rapport_once_'

/** Such as 20261123t161500z-1f3a. Ids sort by time. */
export const newChainId = (now: Date): string =>
  `${now
    .toISOString()
    .replace(/[-:]|\.\d+/g, '')
    .toLowerCase()}-${randomBytes(2).toString('hex')}`

export const isChainId = (name: string): boolean => /^\d{8}t\d{6}z-[0-9a-f]{4}$/.test(name)

const slotOf = (prefix: string, id: string) => `${prefix}${id.replace('-', '_')}`

/** The prefix of slots for this store. */
const prefixFor = (where: string) => `${PREFIX}${hash('sha256', where).slice(0, 8)}_`

const create = (client: Client, slot: string, isTemporary: boolean) =>
  client.query('select pg_create_physical_replication_slot($1, true, $2)', [slot, isTemporary])

interface Slot {
  name: string
  isLost: boolean
}

/** Slots of backups to any store. */
async function selectSlots(client: Client): Promise<Slot[]> {
  const { rows } = await client.query<Slot>(
    `select slot_name as name, wal_status = 'lost' or restart_lsn is null as "isLost"
     from pg_replication_slots where starts_with(slot_name, $1) order by slot_name`,
    [PREFIX],
  )
  return rows
}

const drop = (client: Client, { name }: Pick<Slot, 'name'>) =>
  client.query('select pg_drop_replication_slot($1)', [name])

const ARCHIVER_LOCK = 7_227_003

/** Makes this session the archiver until it ends. @returns false: another process is the archiver */
export async function becomeArchiver(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    ARCHIVER_LOCK,
  ])
  return rows[0]?.taken ?? false
}

/** The unbroken chain to this store, if there is one. */
export async function findChain(client: Client, where: string): Promise<Chain | undefined> {
  const prefix = prefixFor(where)
  const slot = (await selectSlots(client)).findLast(({ name, isLost }) => name.startsWith(prefix) && !isLost)
  return slot && { id: slot.name.slice(prefix.length).replace('_', '-'), slot: slot.name }
}

/**
 * Ends chains that are broken or lead to another store: their slots would keep log permanently.
 * @param where the store in use; undefined: there is none
 * @returns whether a chain to this store was broken
 */
export async function dropOtherChains(client: Client, where: string | undefined): Promise<boolean> {
  const slots = await selectSlots(client)
  const prefix = where === undefined ? undefined : prefixFor(where)
  const others = slots.filter(
    ({ name, isLost }) => isLost || prefix === undefined || !name.startsWith(prefix),
  )
  for (const slot of others) await drop(client, slot)
  return others.some(({ name, isLost }) => isLost && prefix !== undefined && name.startsWith(prefix))
}

/** Ends a chain: the server no longer keeps log for it. */
export const endChain = (client: Client, { slot }: Chain): Promise<unknown> => drop(client, { name: slot })

/** The chain to this store; a new chain if there is none. */
export async function ensureChain(client: Client, where: string, now: Date): Promise<Chain> {
  const found = await findChain(client, where)
  if (found) return found
  const id = newChainId(now)
  const slot = slotOf(prefixFor(where), id)
  await create(client, slot, false)
  return { id, slot }
}

/** A chain for one backup, which ends with the client's session. */
export async function createChainOnce(client: Client, now: Date): Promise<Chain> {
  const id = newChainId(now)
  const slot = slotOf(ONCE_PREFIX, id)
  await create(client, slot, true)
  return { id, slot }
}
