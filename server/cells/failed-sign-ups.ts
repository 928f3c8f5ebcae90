// Removes organizations that a sign-up made in a cell before it failed in the directory.
import sql from 'sql-template-tag'
import type { BaseContext } from '../db/base-context.ts'
import type { Db } from '../db/pool.ts'
import { removeOrganization } from './move/clear.ts'
import { markLeft } from './move/guard.ts'

/** A sign-up never takes as long as this. */
const LEFT_HOURS = 1
const BATCH = 100

interface Candidate {
  org: number
  id: string
}

/**
 * Organizations without a key, event or record: only the sign-up wrote to them. A directory that was restored to an
 * earlier time lacks organizations that were used since, and these must not be removed.
 */
const selectUnused = (cell: Db, after: number) =>
  cell.many<Candidate>(sql`
    select org, id from organizations o
    where created_at < now() - make_interval(hours => ${LEFT_HOURS}) and org > ${after}
      and not exists (select from api_keys k where k.org = o.org)
      and not exists (select from events e where e.org = o.org)
      and not exists (select from records r where r.org = o.org)
    order by org limit ${BATCH}`)

const selectKnown = (directory: Db, candidates: readonly Candidate[]) =>
  directory.many<Candidate>(sql`
    select org, id from organizations
    where org = any(${candidates.map(({ org }) => org)}::int[])
      or id = any(${candidates.map(({ id }) => id)}::uuid[])`)

/** A job of each cell. @throws if the directory does not respond; then nothing is removed */
export async function clearFailedSignUps(
  { db, directory, cell, log }: Pick<BaseContext, 'db' | 'directory' | 'cell' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  if (cell === 0) return
  for (let after = 0; !signal.aborted; ) {
    const candidates = await selectUnused(db, after)
    if (candidates.length === 0) return
    const known = await selectKnown(directory, candidates)
    for (const { org, id } of candidates) {
      after = org
      if (known.some((one) => one.org === org || one.id === id)) continue
      await markLeft(db, org)
      await removeOrganization(db, { org, cell, expected: { state: 'left' } }, signal)
      log.info({ org, cell }, 'what a failed sign-up had left was removed')
    }
  }
}
