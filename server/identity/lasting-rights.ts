// Whether the user or key that requested background work is still allowed to do it.
import sql, { type Sql } from 'sql-template-tag'
import type { Scope } from '../../contract/scopes.ts'

/**
 * A condition on a row `j` with `created_by` and `api_key`, and its organization `o`: the key still has the scope, or
 * the user is still a member.
 */
export const mayStill = (scope: Scope): Sql => sql`
  case when j.api_key is null
    then exists (select from members m where m.organization_id = o.id and m.user_id = j.created_by)
    else exists (
      select from api_keys k where k.org = j.org and k.id = j.api_key and (k.expires_at is null or k.expires_at > now())
        and (k.scopes is null or ${scope}::text = any(k.scopes))) end`

/** The caller that such a row represents. */
export const callerOf = sql`
  json_build_object('org', j.org, 'orgId', o.id, 'userId', j.created_by, 'keyId', j.api_key,
    'country', o.country, 'currency', o.currency)`
