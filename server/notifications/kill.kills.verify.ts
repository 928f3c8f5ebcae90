// kill -9 of the consumer before and after each of its transactions: every assignment is counted exactly once.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Inbox } from '../../contract/notifications.ts'
import { buildTestService } from '../test/build-app.ts'
import { createMortals } from '../test/mortal-children.ts'

const service = await buildTestService()
const { launch, live } = await createMortals(
  service,
  fileURLToPath(new URL('./kill-fixture-process.ts', import.meta.url)),
)

test('assignments are counted once, wherever the consumer is killed', async () => {
  const org = await service.org()
  const mia = await org.member('member')
  const assign = async () => {
    const records = Array.from({ length: 100 }, (_, nr) => ({
      data: { name: `Deal ${nr}`, owner: mia.userId },
    }))
    for (let nr = 0; nr < 3; nr++)
      expect((await org.post('/objects/deals/records/bulk', { mode: 'create', records })).status).toBe(200)
  }
  let assigned = 0
  for (const death of ['before', 'after'] as const)
    for (let at = 1, wasKilled = true; wasKilled; at++) {
      await assign()
      assigned += 300
      wasKilled = await live(launch(), { death, at })
      if (!wasKilled) expect(at).toBeGreaterThan(3)
    }
  await live(launch(), { death: 'never', at: 0 })
  const { notifications } = (await mia.get<Inbox>('/inbox')).body
  expect(notifications.reduce((sum, { count }) => sum + count, 0)).toBe(assigned)
})
