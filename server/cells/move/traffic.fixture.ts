// Clients of an organization while it moves, and records of their requests.
import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../base/id.ts'
import type { Org } from '../../test/factories.ts'
import { PEOPLE } from './move.fixture.ts'

export interface Account {
  names: string[]
  ids: Set<string>
  refused: number
  /** The longest time from a first refusal to the success of a repeat, in milliseconds. */
  longestMs: number
  others: unknown[]
}

/** Creates people one after the other. A refused request is repeated with the same key. */
export async function write(org: Org, writer: string, isOver: () => boolean): Promise<Account> {
  const account: Account = { names: [], ids: new Set(), refused: 0, longestMs: 0, others: [] }
  for (let n = 0; !isOver(); n++) {
    const name = `${writer} ${n}`
    const key = { 'idempotency-key': newId() }
    let since: number | undefined
    for (;;) {
      const { status, body } = await org.post<{ id: string }>(PEOPLE, { data: { name } }, key)
      if (status === 201) {
        account.names.push(name)
        account.ids.add(body.id)
        break
      }
      if (status !== 503) account.others.push(body)
      if (status !== 503) break
      account.refused++
      since ??= performance.now()
      await delay(10)
    }
    if (since !== undefined) account.longestMs = Math.max(account.longestMs, performance.now() - since)
    await delay(40)
  }
  return account
}

/** Lists people repeatedly. @returns answers other than 200, and totals that went down */
export async function read(org: Org, isOver: () => boolean): Promise<unknown[]> {
  const faults: unknown[] = []
  for (let last = 0; !isOver(); ) {
    const { status, body } = await org.get<{ pagination: { total: number } }>(PEOPLE)
    if (status !== 200) faults.push(body)
    else if (body.pagination.total < last) faults.push([last, body.pagination.total])
    else last = body.pagination.total
    await delay(40)
  }
  return faults
}
