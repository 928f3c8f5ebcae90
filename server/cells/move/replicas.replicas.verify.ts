// An organization moves to or from a database with a standby: which reads use the standby.
import { afterEach, expect, test } from 'vitest'
import { bodyOf, type Org } from '../../test/factories.ts'
import { buildReplicatedService } from '../../test/replicated-service.ts'
import { create, PEOPLE } from './move.fixture.ts'
import { type MovePhase, moveOrganization } from './service.ts'

const LAG_MAX_MS = 4000
const replicated = await buildReplicatedService({ replicaLagMaxMs: LAG_MAX_MS }, { hasCells: true })
const { standby, service, replicas, caughtUp } = replicated
const { signal } = new AbortController()

afterEach(async () => {
  await standby.resume()
  await caughtUp()
})

const move = ({ org }: Org, cell: number, to: number, onPhase: (phase: MovePhase) => Promise<void>) =>
  moveOrganization(service.ctx, { org, cell }, to, { signal, onPhase })

const totalOf = async (org: Org, headers: Record<string, string> = {}) => {
  return bodyOf(await org.get<{ pagination: { total: number } }>(`${PEOPLE}?consistency=eventual`, headers))
    .pagination.total
}

test('reads use no replica before it has the last copied rows', async () => {
  const org = await service.org({ ctx: service.ctx.cells.of(1) })
  await create(org, { name: 'First' })
  await move(org, 1, 0, async (phase) => {
    if (phase !== 'closing') return
    await standby.pause()
    await create(org, { name: 'Last' })
  })
  const startedAt = performance.now()
  expect(await totalOf(org)).toBe(2)
  expect(await totalOf(org, { 'x-write-position': '1-1' })).toBe(2)
  expect(performance.now() - startedAt).toBeLessThan(1000)
  await standby.resume()
  await caughtUp()
  const before = replicated.reads('list', 'replica')
  await expect
    .poll(
      async () => {
        expect(await totalOf(org)).toBe(2)
        return replicated.reads('list', 'replica') - before
      },
      { interval: 200 },
    )
    .toBeGreaterThan(0)
})

test('a read with a write position of the former cell sees the write and does not wait', async () => {
  const org = await service.org({ ctx: service.ctx.cells.of(0) })
  const reply = await org.post(PEOPLE, { data: { name: 'There' } })
  const position = String(reply.headers['x-write-position'])
  expect(position).toMatch(/-/)
  await move(org, 0, 1, async () => undefined)
  const startedAt = performance.now()
  for (let n = 0; n < 5; n++) expect(await totalOf(org, { 'x-write-position': position })).toBe(1)
  expect(performance.now() - startedAt).toBeLessThan(1000)
  expect(replicas.status[0]).toMatchObject({ state: 'ready' })
})
