import { expect, test } from 'vitest'
import { JOBS_AT_ONCE } from './jobs.ts'
import { createTurns } from './turns.ts'

function turnsAmong(organizations: number) {
  const state = { now: 0, organizations, queued: 0 }
  const hasTurn = createTurns({
    countOrganizations: async () => state.organizations,
    queueAgain: async () => {
      state.queued++
    },
    now: () => state.now,
  })
  return { state, hasTurn }
}

test('work keeps its place for its slice, however many wait', async () => {
  const { state, hasTurn } = turnsAmong(JOBS_AT_ONCE + 5)
  expect(await hasTurn()).toBe(true)
  state.now = 19_999
  expect(await hasTurn()).toBe(true)
  expect(state.queued).toBe(0)
})

test('after its slice it is queued again, behind others, if more wait than run at once', async () => {
  const { state, hasTurn } = turnsAmong(JOBS_AT_ONCE + 1)
  state.now = 20_000
  expect(await hasTurn()).toBe(false)
  expect(state.queued).toBe(1)
})

test('where all run, it goes on for another slice', async () => {
  const { state, hasTurn } = turnsAmong(JOBS_AT_ONCE)
  state.now = 20_000
  expect(await hasTurn()).toBe(true)
  state.organizations = JOBS_AT_ONCE + 1
  state.now = 39_999
  expect(await hasTurn()).toBe(true)
  state.now = 40_000
  expect(await hasTurn()).toBe(false)
  expect(state.queued).toBe(1)
})
