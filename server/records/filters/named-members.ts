// Looks up the members that filters name by email, so that compiled filters compare user ids.
import { FILTERS_MAX } from '../../../contract/limits.ts'
import { OPERANDS_MAX } from '../../../contract/operators.ts'
import type { Db } from '../../db/pool.ts'
import { isStorable } from '../../http/storable.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { member } from '../types/member.ts'
import type { Operand } from '../types/record-type.ts'
import { memberSlugs, selectMemberValues } from '../validation/member-values.ts'
import type { Locale } from '../values/attribute.ts'
import { type TreeNode, unparsedLeaves } from './parse.ts'
import type { RecordField } from './record-fields.ts'

/** The field with the member who created a record. */
const CREATOR = 'created_by' satisfies RecordField

type IsWanted = (leaf: TreeNode) => boolean

const isEmail = (operand: unknown): operand is string =>
  typeof operand === 'string' && operand.includes('@') && isStorable(operand)

/** Requests with more emails are rejected later. */
const EMAILS_MAX = FILTERS_MAX * OPERANDS_MAX

/** Returns the emails in lower case. */
function emailsIn(asked: unknown, isWanted: IsWanted): string[] {
  const emails = new Set<string>()
  for (const leaf of unparsedLeaves(asked)) {
    if (emails.size >= EMAILS_MAX) break
    if (!isWanted(leaf)) continue
    for (const operand of [leaf['value']].flat().filter(isEmail)) emails.add(operand.trim().toLowerCase())
  }
  return [...emails].slice(0, EMAILS_MAX)
}

type Members = ReadonlyMap<string, string>

/** User ids by email, also of former members: values of records may still name them. */
async function lookUp(db: Db, org: number, emails: readonly string[]): Promise<Members> {
  const named = emails.length === 0 ? [] : await selectMemberValues(db, org, emails)
  return new Map(named.map(({ email, id }) => [email, id]))
}

/** Whether a slug is a path along references. Its end may be an attribute of type member. */
const isPath = (slug: unknown) => typeof slug === 'string' && slug.includes('.')

/** Adds the members that the filters of an object name. Queries the database only if there are some. */
export async function withFilterMembers<Asking extends Locale & { org: number }>(
  db: Db,
  asking: Asking,
  model: ObjectModel,
  asked: unknown,
): Promise<Asking> {
  const slugs = [...memberSlugs(model), CREATOR]
  const emails = emailsIn(asked, ({ attributeSlug: slug }) => slugs.includes(String(slug)) || isPath(slug))
  return emails.length === 0 ? asking : { ...asking, members: await lookUp(db, asking.org, emails) }
}

/** Finds a member, such as the assignee of a task, by user id, by email, or as me. */
export async function findNamedMember(
  db: Db,
  asking: Locale & { org: number },
  named: string,
): Promise<Operand> {
  const members = await lookUp(db, asking.org, isEmail(named) ? [named.trim().toLowerCase()] : [])
  return member.operand(named, { ...asking, members }, { type: 'member' })
}

/** Like withFilterMembers, for workflows and reports, where it is not known yet which leaves compare members. */
export const selectFilterMembers = (db: Db, org: number, asked: unknown): Promise<Members> =>
  lookUp(
    db,
    org,
    emailsIn(asked, () => true),
  )
