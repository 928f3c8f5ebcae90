// The step that selects members in turn. It saves the turn in the transaction of the step, so that a run that is killed
// and continued takes only one turn.
import sql, { empty } from 'sql-template-tag'
import { isUuid } from '../../../contract/common.ts'
import type { Db } from '../../db/pool.ts'
import type { StepCheck } from '../check/record-checks.ts'
import { isLiteral } from '../check/template-check.ts'
import { StepFailure } from './failure.ts'
import type { DataStep, StepWork } from './step.ts'

interface Present {
  id: string
  name: string
  email: string
  /** Place in the config, from 1. */
  place: number
}

function check({ config: { members }, path, report }: StepCheck): void {
  if (!Array.isArray(members)) return
  for (const [index, id] of members.entries())
    if (isLiteral(id) && !isUuid(id))
      report.add(`${path}.members[${index}]`, 'invalid_id', 'must be the user id of a member')
}

/** The distinct ids, in the order of the config. */
const idsOf = (members: unknown): string[] => [
  ...new Set(
    (Array.isArray(members) ? members : []).flatMap((id) =>
      typeof id === 'string' && isUuid(id) ? id.toLowerCase() : [],
    ),
  ),
]

const selectPresent = (db: Db, org: number, ids: readonly string[]): Promise<Present[]> =>
  db.many<Present>(sql`
    select u.id, u.name, u.email, w.place::int as place
    from unnest(${ids}::uuid[]) with ordinality as w(id, place)
    join organizations o on o.org = ${org}
    join members m on m.organization_id = o.id and m.user_id = w.id
    join users u on u.id = m.user_id order by w.place`)

type Turn = Pick<StepWork, 'path' | 'isDry'> & { org: number; workflow: string }

/** Locks the turn until the step ends, except in a dry run. @returns the last member */
async function lockLast(db: Db, { org, workflow, path, isDry }: Turn): Promise<string | undefined> {
  if (!isDry)
    await db.run(sql`
      insert into member_turns (org, workflow, path) values (${org}, ${workflow}, ${path}) on conflict do nothing`)
  const found = await db.maybeOne<{ last: string | null }>(sql`
    select last_user as last from member_turns
    where org = ${org} and workflow = ${workflow} and path = ${path} ${isDry ? empty : sql`for update`}`)
  return found?.last ?? undefined
}

const keepLast = (db: Db, { org, workflow, path }: Turn, userId: string) =>
  db.run(sql`
    update member_turns set last_user = ${userId}
    where org = ${org} and workflow = ${workflow} and path = ${path}`)

/** @throws StepFailure */
async function perform({ ctx: { db }, caller: { org }, path, input, workflow, isDry }: StepWork) {
  const ids = idsOf(input['members'])
  const turn = { org, workflow: workflow.id, path, isDry }
  const last = await lockLast(db, turn)
  const present = await selectPresent(db, org, ids)
  const lastPlace = last === undefined ? 0 : ids.indexOf(last) + 1
  const next = present.find(({ place }) => place > lastPlace) ?? present[0]
  if (!next) throw new StepFailure('None of the chosen members belongs to the organization: choose others.')
  if (!isDry) await keepLast(db, turn, next.id)
  const { id, name, email } = next
  return { id, name, email }
}

export const nextMember: DataStep = {
  kind: 'data',
  check,
  perform,
  example: { members: ['0198c0de-0000-7000-8000-000000000009'] },
}
