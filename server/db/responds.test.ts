import { expect, test } from 'vitest'
import { askWhileBusy } from './busy.fixture.ts'
import { createProbe } from './responds.ts'

test('a database that answers counts as responding, also if a busy process reads the answer late', async () => {
  expect(await askWhileBusy(1300, (answer) => createProbe(answer)())).toBe(true)
})

test('a database that refuses connections counts as not responding', async () => {
  expect(await createProbe(() => Promise.reject(new Error('refused')))()).toBe(false)
})
