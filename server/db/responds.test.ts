import { expect, test } from 'vitest'
import { askWhileBusy } from './busy.fixture.ts'
import { createProbe } from './responds.ts'

test('a database that answers responds, also where the process was too busy to read it', async () => {
  expect(await askWhileBusy(1300, (answer) => createProbe(answer)())).toBe(true)
})

test('a database that refuses does not respond', async () => {
  expect(await createProbe(() => Promise.reject(new Error('refused')))()).toBe(false)
})
