// A move during writes, reads, event feeds, deliveries and workflows: afterwards, everything was processed once.
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../context.ts'
import { buildTestService } from '../../test/build-app.ts'
import { createTestCells } from '../../test/cells.ts'
import { bodyOf, type Org } from '../../test/factories.ts'
import { startReceiver } from '../../test/receiver.ts'
import { createWebhookDispatcher } from '../../webhooks/delivery/dispatcher.ts'
import { insertEndpoint } from '../../webhooks/endpoint.fixture.ts'
import { createWorkflowEngine } from '../../workflows/engine/engine.ts'
import { insertWorkflow, step } from '../../workflows/workflow.fixture.ts'
import { PEOPLE } from './move.fixture.ts'
import { moveOrganization } from './service.ts'
import { type Account, read, write } from './traffic.fixture.ts'

const databases = await createTestCells()
const service = await buildTestService({}, undefined, databases)
const { cells } = service.ctx
const [one, two] = [cells.of(1), cells.of(2)]

const receiver = await startReceiver()
const engines: { start(): void; stop(graceMs: number): Promise<void> }[] = []
beforeAll(async () => {
  for (const ctx of [one, two]) engines.push(createWebhookDispatcher(ctx), createWorkflowEngine(ctx))
  for (const engine of engines) engine.start()
})
afterAll(async () => {
  for (const engine of engines) await engine.stop(1000)
})

const DELAY_SECONDS = 3

/** Each new person gets an activity three seconds later, and is sent to the receiver. */
async function organization(ctx: Context): Promise<Org> {
  const org = await service.org({ ctx })
  await insertEndpoint(ctx, org.org, { url: `${receiver.url}/${org.org}`, types: ['record.created'] })
  await insertWorkflow(ctx, org, {
    trigger: 'record/created',
    triggerConfig: { objectId: 'people' },
    steps: [
      step('delay', { seconds: DELAY_SECONDS }),
      step('create_activity', { title: '{{trigger.data.name}}', type: 'note' }),
    ],
  })
  return org
}

interface Feed {
  events: { id: string; type: string }[]
}

const totalOf = async (org: Org): Promise<number> =>
  (await org.get<{ pagination: { total: number } }>(PEOPLE)).body.pagination.total

/** Reads the feed until `isOver` and every record was seen. @returns the ids of created records */
async function follow(org: Org, isOver: () => boolean): Promise<string[]> {
  const giveUpAt = performance.now() + 400_000
  const seen: string[] = []
  for (let after: string | undefined; ; ) {
    const wasOver = isOver()
    const body = bodyOf(await org.get<Feed>(`/events${after === undefined ? '' : `?after=${after}`}`))
    seen.push(...body.events.filter(({ type }) => type === 'record.created').map(({ id }) => id))
    after = body.events.at(-1)?.id ?? after
    // An event appears when no older transaction of the server is open, including transactions of other tests.
    const isWhole = wasOver && body.events.length === 0 && seen.length >= (await totalOf(org))
    if (isWhole || performance.now() > giveUpAt) return seen
    await delay(50)
  }
}

const count = (ctx: Context, { org }: Org, what: 'records' | 'activities') =>
  ctx.db.value<number>(sql`
    select count(*)::int as n from ${what === 'records' ? sql`records` : sql`activities`} where org = ${org}`)

async function until(check: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 200_000; !(await check()); await delay(100))
    if (performance.now() > end) return
}

/** Checks that everything that the writers did took effect exactly once. */
async function expectAccounts(ctx: Context, org: Org, accounts: readonly Account[], seen: string[]) {
  const names = accounts.flatMap((account) => account.names).toSorted()
  expect(accounts.flatMap(({ others }) => others)).toEqual([])
  expect(new Set(accounts.flatMap(({ ids }) => [...ids])).size).toBe(names.length)
  const { body } = await org.get<{ pagination: { total: number } }>(PEOPLE)
  expect(body.pagination.total).toBe(names.length)
  expect(await count(ctx, org, 'records')).toBe(names.length)
  expect(seen).toHaveLength(names.length)
  expect(new Set(seen).size).toBe(names.length)
  await until(async () => (await count(ctx, org, 'activities')) >= names.length)
  const titles = await ctx.db.many<{ title: string }>(
    sql`select title from activities where org = ${org.org}`,
  )
  expect(titles.map(({ title }) => title).toSorted()).toEqual(names)
  const received = () => receiver.requests.filter(({ path }) => path === `/${org.org}`)
  await until(async () => received().length >= names.length)
  const sent = received().map(({ headers }) => headers['webhook-id'])
  expect(new Set(sent).size).toBe(names.length)
  expect(sent).toHaveLength(names.length)
}

const WRITERS = ['a', 'b']

function use(org: Org, isOver: () => boolean) {
  return Promise.all([
    Promise.all(WRITERS.map((writer) => write(org, writer, isOver))),
    read(org, isOver),
    follow(org, isOver),
  ])
}

test('a move loses nothing, repeats nothing, refuses no read, and does not affect other organizations', async () => {
  const [org, neighbor] = [await organization(one), await organization(one)]
  let isOver = false
  const used = [org, neighbor].map((each) => use(each, () => isOver))
  await delay(1000)
  const { signal } = new AbortController()
  const move = moveOrganization(service.ctx, { org: org.org, cell: 1 }, 2, { signal })
  const { refusedMs } = await move
    .then(async (moved) => {
      await delay(500)
      return moved
    })
    .finally(() => {
      isOver = true
    })
  const [moved, unmoved] = await Promise.all(used)
  if (!moved || !unmoved) throw new Error('There are two organizations')
  const longest = Math.max(...moved[0].map(({ longestMs }) => longestMs))
  console.info(`writes refused for ${refusedMs} ms; the longest wait of a writer: ${Math.round(longest)} ms`)
  for (const [, faults] of [moved, unmoved]) expect(faults).toEqual([])
  expect(unmoved[0].map(({ refused }) => refused)).toEqual(WRITERS.map(() => 0))
  await expectAccounts(two, org, moved[0], moved[2])
  await expectAccounts(one, neighbor, unmoved[0], unmoved[2])
})
