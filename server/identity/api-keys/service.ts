// API keys: made by owners and admins, shown once, refused everywhere when deleted (decisions, section 5 "API keys").
import { setTimeout as delay } from 'node:timers/promises'
import type { ApiKey, CreatedApiKey } from '../../../contract/api-keys.ts'
import { isUuid } from '../../../contract/common.ts'
import type { SessionUser } from '../../../contract/session.ts'
import { inNfc } from '../../../contract/single-line.ts'
import { AppError, invalidField, notFound } from '../../base/errors.ts'
import { newId } from '../../base/id.ts'
import type { Config } from '../../config/config.ts'
import type { BaseContext } from '../../db/base-context.ts'
import type { Db } from '../../db/pool.ts'
import { findRole } from '../members/store.ts'
import { hashKey, keyPrefix, makeKey } from './key.ts'
import { LEASE_MARGIN_MS, LEASE_MS } from './lease.ts'
import { checkNewKey, type UncheckedKey } from './new-key.ts'
import { countKeys, deleteKeyRow, findKey, insertKey, lockKeys, selectKeys } from './store.ts'

type KeyContext = Pick<BaseContext, 'directory' | 'clock'> & { config: Pick<Config, 'keyBounds'> }

/** @throws AppError limit_reached */
async function requireRoom(tx: Db, org: number, max: number): Promise<void> {
  if ((await countKeys(tx, org)) < max) return
  throw new AppError(
    'limit_reached',
    `An organization has at most ${max} API keys: delete one that is not used, or ask the operator to raise KEYS_PER_ORGANIZATION`,
  )
}

/**
 * A key that a member makes in the dashboard. Without a confirmed address anyone could make organizations with keys.
 * @throws AppError email_unverified, limit_reached, validation_error
 */
export async function createOwnKey(
  ctx: KeyContext,
  org: number,
  { user, ...input }: UncheckedKey & { user: Pick<SessionUser, 'id' | 'emailVerified'> },
): Promise<CreatedApiKey> {
  if (!user.emailVerified)
    throw new AppError(
      'email_unverified',
      'Confirm your email address before you create API keys: open the link in the message we sent you, or request a new one',
    )
  return createKey(ctx, org, { ...input, createdBy: user.id })
}

/**
 * Makes a key. Only this answer contains the whole key, as `key`.
 * @param input createdBy: the user in whose name the key acts, an owner or admin
 * @throws AppError limit_reached, validation_error
 */
export async function createKey(
  ctx: KeyContext,
  org: number,
  { createdBy, ...input }: UncheckedKey & { createdBy: string },
): Promise<CreatedApiKey> {
  const { rate, count } = ctx.config.keyBounds
  const checked = checkNewKey(input, ctx.clock.now(), rate)
  const role = await findRole(ctx.directory, org, createdBy)
  if (role !== 'owner' && role !== 'admin')
    throw invalidField(
      'createdBy',
      'not_allowed',
      'must be an owner or admin of the organization: only they can manage API keys',
    )
  const key = makeKey()
  const row = { ...checked, id: newId(), prefix: keyPrefix(key), hash: hashKey(key), createdBy }
  return ctx.directory.transaction(async (tx) => {
    await lockKeys(tx, org)
    await requireRoom(tx, org, count)
    return { ...(await insertKey(tx, org, row)), key }
  })
}

/** The organization's keys, newest first, without their secrets. */
export const listKeys = (ctx: Pick<KeyContext, 'directory'>, org: number): Promise<ApiKey[]> =>
  selectKeys(ctx.directory, org)

/** The part of a process's admission that a deletion concerns. */
export interface KeyLeases {
  /** The same for every admission of the installation. */
  leaseMs: number
  /** Drops the key from this process's cache. */
  forget(keyId: string): void
}

const NO_CACHE: KeyLeases = { leaseMs: LEASE_MS, forget: () => undefined }

/**
 * For keys whose deletion is committed. Resolves when no process accepts these keys any more, about a second later
 * (see LEASE_MS); immediately if the list is empty.
 */
export async function refuseDeletedKeys(leases: KeyLeases, keyIds: readonly string[]): Promise<void> {
  if (keyIds.length === 0) return
  for (const id of keyIds) leases.forget(id)
  await delay(leases.leaseMs + LEASE_MARGIN_MS)
}

/**
 * Deletes a key. Resolves when no process accepts it any more, about a second later (see LEASE_MS). For that, the
 * deletion must be committed: `ctx.directory` must be the pool, not a transaction.
 * @param confirmName the key's exact name
 * @throws AppError not_found, validation_error if confirmName is not the name
 */
export async function deleteKey(
  ctx: Pick<KeyContext, 'directory'>,
  org: number,
  { id, confirmName }: { id: string; confirmName: string },
  leases: KeyLeases = NO_CACHE,
): Promise<void> {
  const key = isUuid(id) ? await findKey(ctx.directory, org, id) : undefined
  if (!key) throw notFound('API key')
  if (inNfc(key.name) !== inNfc(confirmName))
    throw invalidField(
      'confirmName',
      'name_mismatch',
      'must be the name of the key, exactly as it is written',
    )
  if ((await deleteKeyRow(ctx.directory, org, id)) === 0) throw notFound('API key')
  await refuseDeletedKeys(leases, [id])
}
