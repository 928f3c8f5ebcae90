// Every statement about API keys.
import sql from 'sql-template-tag'
import type { ApiKey } from '../../../contract/api-keys.ts'
import type { Scope } from '../../../contract/scopes.ts'
import type { Db } from '../../db/pool.ts'
import type { AdmittedKey } from '../../http/admission.ts'
import { cellOf, isMoving, isSettledIn } from '../../placement/placement.ts'

interface KeyRow {
  id: string
  name: string
  prefix: string
  hash: Buffer
  scopes: Scope[] | null
  rateLimit: number | null
  expiresAt: Date | null
  createdBy: string
}

const columns = sql`k.id, k.name, k.prefix, k.scopes, k.expires_at as "expiresAt", k.rate_limit as "rateLimit",
  k.last_used_at as "lastUsedAt", k.created_at as "createdAt",
  json_build_object('id', u.id, 'name', u.name, 'email', u.email) as "createdBy"`

export const insertKey = (db: Db, org: number, key: KeyRow) =>
  db.one<ApiKey>(sql`
    with k as (
      insert into api_keys (org, id, name, prefix, hash, scopes, rate_limit, expires_at, created_by)
      values (${org}, ${key.id}, ${key.name}, ${key.prefix}, ${key.hash}, ${key.scopes}, ${key.rateLimit},
        ${key.expiresAt}, ${key.createdBy})
      returning *)
    select ${columns} from k join users u on u.id = k.created_by`)

/** Until the transaction ends, no other transaction can make a key for the organization. */
export const lockKeys = (tx: Db, org: number) =>
  tx.run(sql`select from organizations where org = ${org} for no key update`)

export const countKeys = (db: Db, org: number) =>
  db.value<number>(sql`select count(*)::int as count from api_keys where org = ${org}`)

/** The organization's keys, newest first. */
export const selectKeys = (db: Db, org: number) =>
  db.many<ApiKey>(sql`
    select ${columns} from api_keys k join users u on u.id = k.created_by
    where k.org = ${org}
    order by k.created_at desc, k.id desc`)

export const findKey = (db: Db, org: number, id: string) =>
  db.maybeOne<ApiKey>(sql`
    select ${columns} from api_keys k join users u on u.id = k.created_by
    where k.org = ${org} and k.id = ${id}`)

export const deleteKeyRow = (db: Db, org: number, id: string) =>
  db.run(sql`delete from api_keys where org = ${org} and id = ${id}`)

/** A key for admission, as the database returns it. */
export interface AdmittedRow extends Omit<AdmittedKey, 'scopes'> {
  hash: Buffer
  /** The organization moves: its cell may change at any time. */
  isMoving: boolean
  scopes: Scope[] | null
}

const admitted = sql`k.org, o.id as "orgId", ${cellOf(sql`o`)} as cell, ${isMoving(sql`o`)} as "isMoving",
  k.created_by as "userId", k.id as "keyId", k.scopes, o.country, o.currency,
  (extract(epoch from k.expires_at) * 1000)::float8 as "expiresAtMs", k.rate_limit as "rateLimit"`

export const toAdmittedKey = ({ hash: _, isMoving: __, scopes, ...key }: AdmittedRow): AdmittedKey => ({
  ...key,
  scopes: scopes && new Set(scopes),
})

/** The keys with these hashes, of any organization: the hash is enough to find the organization. */
export const selectKeysByHash = (db: Db, hashes: Buffer[]) =>
  db.many<AdmittedRow>(sql`
    select k.hash, ${admitted} from api_keys k join organizations o on o.org = k.org
    where k.hash = any(${hashes}::bytea[])`)

/** The same from the copies in a cell. Leaves out keys of organizations that are moving or have moved away. */
export const selectKeysInCell = (db: Db, cell: number, hashes: Buffer[]) =>
  db.many<AdmittedRow>(sql`
    select k.hash, ${admitted} from api_keys k join organizations o on o.org = k.org
    where k.hash = any(${hashes}::bytea[]) and ${isSettledIn(sql`o`, cell)}`)

interface KeyUse {
  org: number
  keyId: string
  atMs: number
}

/** Writes when keys were last used; a time never moves back. */
export const updateLastUsed = (db: Db, uses: readonly KeyUse[]) =>
  db.run(sql`
    update api_keys k set last_used_at = greatest(k.last_used_at, to_timestamp(u.at_ms / 1000.0))
    from unnest(${uses.map(({ org }) => org)}::int[], ${uses.map(({ keyId }) => keyId)}::uuid[],
      ${uses.map(({ atMs }) => atMs)}::float8[]) as u (org, id, at_ms)
    where k.org = u.org and k.id = u.id`)

interface CountRequest {
  /** undefined: the request contains no text with the form of a key. */
  hash: Buffer | undefined
  /** The window that counts a request without a valid key. */
  addressBucket: Buffer
  windowSeconds: number
}

export type CountedRow = Omit<AdmittedRow, 'hash' | 'keyId'> & {
  keyId: string | null
  isExpired: boolean
  requests: number
  resetAt: number
  secondsLeft: number
}

const counting = sql`on conflict (bucket) do update set
        requests = case when w.ends_at <= now() then 1 else w.requests + 1 end,
        ends_at = case when w.ends_at <= now() then excluded.ends_at else w.ends_at end
      returning requests, ends_at`

const window = sql`counted.requests, ceil(extract(epoch from counted.ends_at))::float8 as "resetAt",
      greatest(1, ceil(extract(epoch from counted.ends_at - now())))::float8 as "secondsLeft"`

/** A window that counts no requests. */
const uncounted = (windowSeconds: number) =>
  sql`select 0 as requests, now() + make_interval(secs => ${windowSeconds}::float8) as ends_at`

/**
 * Looks the key up and counts the request in the key's window, or in the address's, in one round trip.
 * @param counts false: only looks the key up
 */
export const countKeyRequest = (
  db: Db,
  { hash, addressBucket, windowSeconds }: CountRequest,
  { counts = true } = {},
) =>
  db.one<CountedRow>(sql`
    with found as (
      select ${admitted}, coalesce(k.expires_at <= now(), false) as "isExpired"
      from api_keys k join organizations o on o.org = k.org
      where k.hash = ${hash ?? null}::bytea
    ), counted as (${
      counts
        ? sql`
      insert into rate_windows as w (bucket, requests, ends_at)
      select coalesce((select uuid_send("keyId") from found where not "isExpired"), ${addressBucket}::bytea),
        1, now() + make_interval(secs => ${windowSeconds}::float8)
      ${counting}`
        : uncounted(windowSeconds)
    })
    select found.*, ${window} from counted left join found on true`)

/** Counts a request of a valid key in its cell. @returns undefined: the cell does not have the key */
export const countInCell = (
  db: Db,
  cell: number,
  { hash, windowSeconds }: Pick<CountRequest, 'windowSeconds'> & { hash: Buffer },
  { counts = true } = {},
) =>
  db.maybeOne<CountedRow>(sql`
    with found as (
      select ${admitted}, false as "isExpired"
      from api_keys k join organizations o on o.org = k.org
      where k.hash = ${hash} and (k.expires_at is null or k.expires_at > now()) and ${isSettledIn(sql`o`, cell)}
    ), counted as (${
      counts
        ? sql`
      insert into rate_windows as w (bucket, requests, ends_at)
      select uuid_send("keyId"), 1, now() + make_interval(secs => ${windowSeconds}::float8) from found
      ${counting}`
        : uncounted(windowSeconds)
    })
    select found.*, ${window} from counted, found`)

const SWEPT_AT_ONCE = 10_000

/** Removes windows that have ended. Skips locked rows: another process counts in them, or removes them too. */
export const deleteEndedWindows = (db: Db) =>
  db.run(sql`
    delete from rate_windows where bucket in (
      select bucket from rate_windows where ends_at <= now() limit ${SWEPT_AT_ONCE} for update skip locked)`)
