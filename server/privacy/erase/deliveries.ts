// Erases deliveries of erased events: the messages, and every attempt with its request and response.
import sql from 'sql-template-tag'
import { ATTEMPT_TIMEOUT_MS } from '../../../contract/webhook-states.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep } from './step.ts'

const BATCH = 500
const FIRST = '00000000-0000-0000-0000-000000000000'

interface Page {
  last: string | null
  events: string[]
}

async function deleteBatch({
  tx,
  erasure: { org, subjects, place },
}: ErasureBatchWork): Promise<ErasureBatch> {
  const { last, events } = await tx.one<Page>(sql`
    select max(e.id::text) as last, coalesce(json_agg(e.id), '[]') as events from (
      select e.id from events e
      where e.org = ${org} and e.subject = any(${subjects}::uuid[]) and e.id > ${place ?? FIRST}::uuid
      order by e.id limit ${BATCH}) as e`)
  if (last === null) return { isDone: true }
  const ofEvents = sql`org = ${org} and event = any(${events}::uuid[])`
  const deliveries = await tx.run(sql`
    delete from webhook_deliveries where ${ofEvents}
      and endpoint in (select id from webhook_endpoints where org = ${org})`)
  await tx.run(sql`
    delete from webhook_attempts where ${ofEvents}
      and endpoint in (select id from webhook_endpoints where org = ${org})`)
  await tx.run(sql`delete from webhook_messages where ${ofEvents}`)
  await tx.run(sql`delete from svix_messages where ${ofEvents}`)
  return { isDone: false, place: last, counts: { deliveries } }
}

export const deliveries: ErasureStep = { name: 'deliveries', batch: deleteBatch }

/** The longest time for a request and the transaction that writes its result. */
const IN_FLIGHT_MS = ATTEMPT_TIMEOUT_MS + 15_000

/**
 * Waits for requests in flight. A worker with the lease of an endpoint may have read a message before it was deleted,
 * and would still write the attempt. The next step deletes that attempt.
 */
async function wait({ tx, erasure: { org, place } }: ErasureBatchWork): Promise<ErasureBatch> {
  const isSending = await tx.value<boolean>(
    sql`select exists (select from webhook_lanes where org = ${org} and leased_until > now()) as found`,
  )
  if (!isSending) return { isDone: true }
  const until =
    place ??
    (await tx.value<string>(
      sql`select (now() + make_interval(secs => ${IN_FLIGHT_MS / 1000}::float8))::text as until`,
    ))
  const isOver = await tx.value<boolean>(sql`select now() > ${until}::timestamptz as over`)
  return isOver ? { isDone: true } : { isDone: false, place: until, waitsFor: 'deliveries' }
}

export const inFlight: ErasureStep = { name: 'in-flight', batch: wait }
