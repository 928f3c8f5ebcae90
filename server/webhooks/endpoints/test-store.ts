// What is kept of a test send: a message, a delivery that has an end already, and its one attempt.
import sql from 'sql-template-tag'
import type { EventType } from '../../../contract/events.ts'
import type { Db } from '../../db/pool.ts'
import type { Attempt } from '../delivery/attempt.ts'
import { attemptFields, insertAttempts } from '../delivery/attempts-store.ts'

export interface TestRow {
  endpoint: string
  event: string
  type: EventType
  body: string
  attempt: Attempt
}

/** In one transaction. */
export async function insertTest(tx: Db, org: number, { body, attempt, ...test }: TestRow): Promise<void> {
  await tx.run(sql`
    insert into webhook_messages (org, event, type, body) values (${org}, ${test.event}, ${test.type}, ${body})`)
  const row = {
    ...test,
    ...attemptFields(attempt),
    org,
    attempt: 1,
    trigger: 'test',
    state: attempt.failure === null ? ('succeeded' as const) : ('failed' as const),
    tries: 1,
    nextInMs: null,
    giveUpInMs: 0,
  }
  await insertAttempts(tx, [row], sql`now()`)
}
