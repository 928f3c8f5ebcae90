// What the API returns about the caller: to programs about their key, to the dashboard about the signed-in user.
import type { ApiKey } from '../../../contract/api-keys.ts'
import { BODY_BYTES_MAX, BULK_BODY_BYTES_MAX, BULK_MAX, PAGE_LIMIT_MAX } from '../../../contract/limits.ts'
import type { Me } from '../../../contract/me.ts'
import type { ActingUser } from '../../../contract/members.ts'
import { type Role, SCOPES_OF_ROLE } from '../../../contract/roles.ts'
import { ALL_SCOPES } from '../../../contract/scopes.ts'
import { type Caller, mayRead } from '../../base/caller.ts'
import { unauthorized } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/pool.ts'
import type { SignedIn } from '../../http/session.ts'
import { rateOf } from '../api-keys/key-rates.ts'
import { findKey } from '../api-keys/store.ts'
import { getOrganization } from '../service.ts'

interface MeContext {
  directory: Db
  config: Pick<Config, 'keyBounds' | 'rateLimitPerMinute' | 'requestDeadlineSeconds' | 'sessionRates'>
}

interface Asking {
  caller: Caller
  role: Role
  /** The signed-in user; not read for a request with a key. */
  signedIn: SignedIn
}

function limitsOf({ config }: MeContext, key: ApiKey | undefined): Me['limits'] {
  const { rateLimitPerMinute: usual, keyBounds: bounds, sessionRates } = config
  return {
    requestsPerMinute: key ? rateOf(key, { usual, bounds }) : sessionRates.user,
    organizationRequestsPerMinute: key ? bounds.organizationRate : sessionRates.organization,
    requestSeconds: config.requestDeadlineSeconds,
    pageRows: PAGE_LIMIT_MAX,
    bulkRows: BULK_MAX,
    bodyBytes: BODY_BYTES_MAX,
    bulkBodyBytes: BULK_BODY_BYTES_MAX,
  }
}

async function keyOf({ directory }: MeContext, { org, keyId }: Caller): Promise<ApiKey | undefined> {
  if (keyId === null) return undefined
  const key = await findKey(directory, org, keyId)
  // Deleted after the request was admitted.
  if (!key) throw unauthorized('This API key was deleted: create a new one')
  return key
}

const shownKey = ({ id, name, prefix, scopes, expiresAt, createdAt }: ApiKey): Me['apiKey'] => ({
  id,
  name,
  prefix,
  scopes,
  expiresAt,
  createdAt,
})

const askingUser = (caller: Caller, { id, name, email }: Required<ActingUser>): ActingUser =>
  mayRead(caller, 'members:read') ? { id, name, email } : { id }

/** @throws AppError unauthorized if the key was deleted after the request was admitted */
export async function describeCaller(ctx: MeContext, { caller, role, signedIn }: Asking): Promise<Me> {
  const key = await keyOf(ctx, caller)
  return {
    organization: await getOrganization(ctx, caller.orgId),
    apiKey: key ? shownKey(key) : null,
    user: askingUser(caller, key ? key.createdBy : signedIn.user),
    scopes: [...(key ? (key.scopes ?? ALL_SCOPES) : SCOPES_OF_ROLE[role])],
    limits: limitsOf(ctx, key),
  }
}
