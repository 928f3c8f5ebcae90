// Values that refer to members of the organization: callers may send a user id or an email, records hold the user id.
//
// The members are read before the record is written, without a lock: a value that is written while its member is
// removed remains, and is shown as a former member. An update may send the id of a former member, so that a client can send
// back a whole record; a new record may not.
import sql from 'sql-template-tag'
import { isUuid } from '../../../contract/common.ts'
import type { UserRef } from '../../../contract/members.ts'
import { singleLine } from '../../../contract/single-line.ts'
import type { Caller } from '../../base/caller.ts'
import { isObject } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import { isStorable } from '../../http/storable.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import type { Locale } from '../values/attribute.ts'

const textsIn = (value: unknown): string[] =>
  [value]
    .flat()
    .filter((one) => typeof one === 'string')
    .map((one) => singleLine(one).toLowerCase())
    .filter((text) => text !== '' && isStorable(text))

export const memberSlugs = ({ attributes }: ObjectModel): string[] =>
  [...attributes.values()].filter(({ type }) => type === 'member').map(({ slug }) => slug)

/** The sent values of the attributes `slugs`, which refer to members. */
function namedIn(slugs: readonly string[], data: Iterable<unknown>): Set<string> {
  const named = new Set<string>()
  for (const one of data)
    if (isObject(one))
      for (const slug of slugs)
        if (Object.hasOwn(one, slug)) for (const text of textsIn(one[slug])) named.add(text)
  return named
}

interface NamedMember {
  id: string
  email: string
  hasLeft: boolean
}

/** Members and former members by id and email. @param texts in lower case */
export const selectMemberValues = (db: Db, org: number, texts: readonly string[]): Promise<NamedMember[]> =>
  db.many<NamedMember>(sql`
    select u.id, lower(u.email) as email, m.user_id is null as "hasLeft"
    from users u left join members m on m.user_id = u.id
      and m.organization_id = (select o.id from organizations o where o.org = ${org})
    where (u.id = any(${texts.filter(isUuid)}::uuid[])
      or lower(u.email) = any(${texts.filter((text) => text.includes('@'))}::text[]))
      and (m.user_id is not null or exists (
        select from former_members f where f.org = ${org} and f.user_id = u.id))`)

function localeOf(named: readonly NamedMember[]): Pick<Locale, 'members' | 'membersOfChanges'> {
  const present = named.filter(({ hasLeft }) => !hasLeft)
  const members = new Map(present.flatMap(({ id, email }) => [[id, id] as const, [email, id] as const]))
  if (present.length === named.length) return { members }
  return { members, membersOfChanges: new Map([...members, ...named.map(({ id }) => [id, id] as const)]) }
}

/**
 * The caller with the members that the data of records names, for `checkData`. If the data names none, `members` is an
 * empty map: if it were undefined, any id or email would be accepted.
 * @param data of records, not checked yet; a query is sent only if it names members
 */
export async function withMembers(
  db: Db,
  caller: Caller,
  model: ObjectModel,
  data: Iterable<unknown>,
): Promise<Caller & Pick<Locale, 'members' | 'membersOfChanges'>> {
  const slugs = memberSlugs(model)
  if (slugs.length === 0) return caller
  const named = namedIn(slugs, data)
  return {
    ...caller,
    ...localeOf(named.size === 0 ? [] : await selectMemberValues(db, caller.org, [...named])),
  }
}

/** Members by their name, ignoring case. Several may have the same name. @param names in lower case */
export async function selectMembersByName(
  db: Db,
  orgId: string,
  names: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return db.many(sql`
    select u.id, lower(u.name) as name from members m join users u on u.id = m.user_id
    where m.organization_id = ${orgId} and lower(u.name) = any(${names.filter(isStorable)}::text[])`)
}

/** Members by their user ids, without former members. */
export const selectUsers = (db: Db, org: number, ids: readonly string[]): Promise<UserRef[]> =>
  db.many<UserRef>(sql`
    select u.id, u.name, u.email from organizations o
    join members m on m.organization_id = o.id join users u on u.id = m.user_id
    where o.org = ${org} and u.id = any(${ids}::uuid[])`)
