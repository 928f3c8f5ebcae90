// Erases workflow runs whose input, state or step log contains an id or a value of the erased data.
import sql, { type Sql } from 'sql-template-tag'
import { cancelRuns } from '../../workflows/engine/cancel.ts'
import type { Markers } from '../markers.ts'
import { hasMarker } from '../matching.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep } from './step.ts'

const BATCH = 50
const FIRST = '00000000-0000-0000-0000-000000000000'

interface Page {
  last: string | null
  found: string[]
}

/** Whether the run `r` contains a marker. */
const contains = (markers: Markers): Sql => sql`(
  r.subject = any(${markers.ids}::uuid[])
  or ${hasMarker(markers, {
    texts: [sql`r.title`, sql`r.lane`, sql`r.error`],
    json: [sql`r.input::text`, sql`r.position::text`],
  })}
  or exists (
    select from workflow_run_values v
    where v.org = r.org and v.run = r.id and ${hasMarker(markers, { json: [sql`v.value::text`] })})
  or exists (
    select from workflow_run_steps s
    where s.org = r.org and s.run = r.id
      and ${hasMarker(markers, { texts: [sql`s.error`], json: [sql`s.input::text`, sql`s.output::text`] })}))`

async function batch({ tx, erasure: { org, place }, markers }: ErasureBatchWork): Promise<ErasureBatch> {
  const { last, found } = await tx.one<Page>(sql`
    with page as (
      select r.* from workflow_runs r where r.org = ${org} and r.id > ${place ?? FIRST}::uuid order by r.id limit ${BATCH})
    select (select max(id::text) from page) as last,
      coalesce((select json_agg(r.id order by r.id) from page r where ${contains(markers)}), '[]') as found`)
  if (last === null) return { isDone: true }
  // The worker of an open run is refused from then on, and the next run with its concurrency key is woken.
  await cancelRuns(tx, org, found)
  await tx.run(sql`delete from workflow_runs where org = ${org} and id = any(${found}::uuid[])`)
  return { isDone: false, place: last, counts: { runs: found.length }, subjects: found }
}

export const runs: ErasureStep = { name: 'runs', batch }
