import { expect, test } from 'vitest'
import type { Db } from '../db/pool.ts'
import { JOBS_MAX } from './jobs.ts'
import { defineJob, type Queue } from './queue.ts'
import { createTurns } from './turns.ts'

const KIND = defineJob<{ org: number }>('turns.test')
const REF = { org: 7 }
const tx = {} as Db
const db = { transaction: (work: (tx: Db) => unknown) => work(tx) } as Db

function turnsAmong(organizations: number) {
  const state = { now: 0, organizations, queued: [] as unknown[] }
  const queue: Pick<Queue, 'enqueue'> = {
    enqueue: async (...asked) => void state.queued.push(asked),
  }
  const hasTurn = createTurns(
    { db, queue },
    { kind: KIND, ref: REF, countOrganizations: async () => state.organizations, now: () => state.now },
  )
  return { state, hasTurn }
}

test('work continues for its whole slice, however many organizations wait', async () => {
  const { state, hasTurn } = turnsAmong(JOBS_MAX + 5)
  expect(await hasTurn()).toBe(true)
  state.now = 19_999
  expect(await hasTurn()).toBe(true)
  expect(state.queued).toEqual([])
})

test('after its slice work is queued again if more organizations have work than run at a time', async () => {
  const { state, hasTurn } = turnsAmong(JOBS_MAX + 1)
  state.now = 20_000
  expect(await hasTurn()).toBe(false)
  expect(state.queued).toEqual([[tx, KIND, REF]])
})

test('after its slice work continues for another slice if no organization waits', async () => {
  const { state, hasTurn } = turnsAmong(JOBS_MAX)
  state.now = 20_000
  expect(await hasTurn()).toBe(true)
  state.organizations = JOBS_MAX + 1
  state.now = 39_999
  expect(await hasTurn()).toBe(true)
  state.now = 40_000
  expect(await hasTurn()).toBe(false)
  expect(state.queued).toEqual([[tx, KIND, REF]])
})
