// Values that refer to members of the organization: callers may send a user id or an email, records hold the user id.
//
// The members are read before the record is written, without a lock: a value that is written while its member is
// removed stays, and is shown as a former member.
import sql from 'sql-template-tag'
import { refersToMembers } from '../../contract/attribute-types/reference.ts'
import { isUuid } from '../../contract/common.ts'
import type { ObjectModel } from '../attributes/models.ts'
import type { Caller } from '../caller.ts'
import type { Db } from '../db/pool.ts'
import { isStorable } from '../http/storable.ts'
import { isObject } from '../json.ts'

const textsIn = (value: unknown): string[] =>
  [value]
    .flat()
    .filter((one) => typeof one === 'string')
    .map((one) => one.trim().toLowerCase())
    .filter((text) => text !== '' && isStorable(text))

const memberSlugs = ({ attributes }: ObjectModel): string[] =>
  [...attributes.values()].filter(refersToMembers).map(({ slug }) => slug)

/** The values of these attributes, which refer to members, as they were sent. */
function namedIn(slugs: readonly string[], data: Iterable<unknown>): Set<string> {
  const named = new Set<string>()
  for (const one of data)
    if (isObject(one))
      for (const slug of slugs)
        if (Object.hasOwn(one, slug)) for (const text of textsIn(one[slug])) named.add(text)
  return named
}

async function selectMembers(db: Db, orgId: string, texts: readonly string[]): Promise<Map<string, string>> {
  const ids = texts.filter(isUuid)
  const emails = texts.filter((text) => text.includes('@'))
  const rows = await db.many<{ id: string; email: string }>(sql`
    select u.id, lower(u.email) as email from members m join users u on u.id = m.user_id
    where m.organization_id = ${orgId} and (u.id = any(${ids}::uuid[]) or lower(u.email) = any(${emails}::text[]))`)
  return new Map(rows.flatMap(({ id, email }) => [[id, id] as const, [email, id] as const]))
}

const NO_MEMBERS: ReadonlyMap<string, string> = new Map()

/**
 * The caller with the members that the data of records names, for `checkData`: an empty map if it names none, because
 * without one any id or email is accepted.
 * @param data of records, not checked yet; a query is sent only if it names members
 */
export async function withMembers(
  db: Db,
  caller: Caller,
  model: ObjectModel,
  data: Iterable<unknown>,
): Promise<Caller & { members?: ReadonlyMap<string, string> }> {
  const slugs = memberSlugs(model)
  if (slugs.length === 0) return caller
  const named = namedIn(slugs, data)
  return {
    ...caller,
    members: named.size === 0 ? NO_MEMBERS : await selectMembers(db, caller.orgId, [...named]),
  }
}

/** Emails of users by their id, of those who have left the organization too. */
export async function selectEmails(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.many<{ id: string; email: string }>(
    sql`select id, email from users where id = any(${ids}::uuid[])`,
  )
  return new Map(rows.map(({ id, email }) => [id, email]))
}
