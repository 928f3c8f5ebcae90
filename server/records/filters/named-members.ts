// Members whom filters name by email: looked up before the filters are compiled, which then compare user ids.
import { FILTERS_MAX } from '../../../contract/limits.ts'
import { OPERANDS_MAX } from '../../../contract/operators.ts'
import type { ObjectModel } from '../../attributes/models.ts'
import type { Db } from '../../db/pool.ts'
import { isStorable } from '../../http/storable.ts'
import { memberSlugs, selectMembers } from '../member-values.ts'
import { member } from '../types/member.ts'
import type { Operand } from '../types/record-type.ts'
import type { Locale } from '../values/attribute.ts'
import { isNode, type TreeNode } from './parse.ts'
import type { RecordField } from './record-fields.ts'

/** The members who created records. */
const CREATOR = 'created_by' satisfies RecordField

type IsWanted = (leaf: TreeNode) => boolean

const isEmail = (operand: unknown): operand is string =>
  typeof operand === 'string' && operand.includes('@') && isStorable(operand)

/** Filters with more are refused. */
const EMAILS_MAX = FILTERS_MAX * OPERANDS_MAX

/** In lower case. Nothing was checked yet: what was sent may be as deep and as long as a body can be. */
function emailsIn(asked: unknown, isWanted: IsWanted): string[] {
  const emails = new Set<string>()
  const waiting = [asked]
  while (waiting.length > 0 && emails.size < EMAILS_MAX) {
    const one = waiting.pop()
    const isLeaf = isNode(one) && 'operator' in one
    if (isLeaf && isWanted(one))
      for (const operand of [one['value']].flat().filter(isEmail)) emails.add(operand.trim().toLowerCase())
    else if (!isLeaf && typeof one === 'object' && one !== null)
      for (const inner of Object.values(one)) waiting.push(inner)
  }
  return [...emails].slice(0, EMAILS_MAX)
}

type Members = ReadonlyMap<string, string>

/** User ids by email. Those who have left too: values may still name them. */
async function lookUp(db: Db, org: number, emails: readonly string[]): Promise<Members> {
  const named = emails.length === 0 ? [] : await selectMembers(db, org, emails)
  return new Map(named.map(({ email, id }) => [email, id]))
}

/** Members that the filters on records of an object name; a query is sent only if there are some. */
export async function withFilterMembers<Asking extends Locale & { org: number }>(
  db: Db,
  asking: Asking,
  model: ObjectModel,
  asked: unknown,
): Promise<Asking> {
  const slugs = [...memberSlugs(model), CREATOR]
  const emails = emailsIn(asked, ({ attributeSlug }) => slugs.includes(String(attributeSlug)))
  return emails.length === 0 ? asking : { ...asking, members: await lookUp(db, asking.org, emails) }
}

/** A member who is named outside of records, such as the assignee of a task: by user id, by email, or as me. */
export async function findMember(db: Db, asking: Locale & { org: number }, named: string): Promise<Operand> {
  const members = await lookUp(db, asking.org, isEmail(named) ? [named.trim().toLowerCase()] : [])
  return member.operand(named, { ...asking, members }, { type: 'member' })
}

/** The same for definitions of workflows and reports, where it is not known yet which leaves compare members. */
export const selectFilterMembers = (db: Db, org: number, asked: unknown): Promise<Members> =>
  lookUp(
    db,
    org,
    emailsIn(asked, () => true),
  )
