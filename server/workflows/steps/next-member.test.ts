// The step next_member selects members in turn, over the runs of a workflow.
import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import { buildTestService } from '../../test/build-app.ts'
import type { SignedInMember } from '../../test/dashboard-client.ts'
import type { Org } from '../../test/factories.ts'
import { startRun } from '../engine/start.ts'
import { insertWorkflow, runsOf, step, stepsOf } from '../workflow.fixture.ts'
import { performDry } from './perform.ts'
import { stepRunner } from './steps.fixture.ts'

const service = await buildTestService()
const { ctx } = service
let org: Org
let team: SignedInMember[]
beforeEach(async () => {
  org = await service.org()
  team = await org.members('member', 'member', 'member')
})
const { failure } = stepRunner(service, () => org)

const idsOf = (members: readonly { userId: string }[]) => members.map(({ userId }) => userId)
const turnStep = (ids: readonly string[]) => step('next_member', { members: ids }, { key: 'next' })

/** The members that runs of one workflow select, in the order of their start. */
async function chosenBy(runs: number, ids = idsOf(team)): Promise<unknown[]> {
  const made = await insertWorkflow(ctx, org, { trigger: 'manual', steps: [turnStep(ids)] })
  return turns(made, runs)
}

async function turns(made: Awaited<ReturnType<typeof insertWorkflow>>, runs: number): Promise<unknown[]> {
  const before = (await runsOf(ctx, made)).length
  for (let n = 0; n < runs; n++)
    await ctx.db.transaction((tx) =>
      startRun({ ...ctx, db: tx }, org.org, {
        ...{ workflow: made.id, triggerEvent: 'api', parameters: {}, startedBy: null },
      }),
    )
  await service.runWorkflows()
  const all = await runsOf(ctx, made)
  const steps = await Promise.all(all.map((run) => stepsOf(ctx, run)))
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 'completed'))
  return steps.map(([first]) => first?.output?.['id']).slice(-(all.length - before))
}

const countsOf = (chosen: readonly unknown[]) =>
  team.map(({ userId }) => chosen.filter((id) => id === userId).length)

async function leave({ userId }: SignedInMember) {
  await ctx.db.run(sql`delete from members where organization_id = ${org.id} and user_id = ${userId}`)
}

test('selects each member equally often, also in concurrent runs', async () => {
  expect(countsOf(await chosenBy(9))).toEqual([3, 3, 3])
})

test('counts for each workflow separately, and continues after its last run', async () => {
  const made = await insertWorkflow(ctx, org, { trigger: 'manual', steps: [turnStep(idsOf(team))] })
  const seen = [
    ...(await turns(made, 1)),
    ...(await turns(made, 1)),
    ...(await turns(made, 1)),
    ...(await turns(made, 1)),
  ]
  const [a, b, c] = idsOf(team)
  expect(seen).toEqual([a, b, c, a])
  expect(await chosenBy(1)).toEqual([a])
})

test('skips members who left the organization', async () => {
  const made = await insertWorkflow(ctx, org, { trigger: 'manual', steps: [turnStep(idsOf(team))] })
  const [a, b, c] = team
  if (!a || !b || !c) throw new Error('The team has three members')
  expect(await turns(made, 1)).toEqual([a.userId])
  await leave(b)
  expect([await turns(made, 1), await turns(made, 1)]).toEqual([[c.userId], [a.userId]])
  await leave(a)
  expect(await turns(made, 1)).toEqual([c.userId])
})

test('fails when none of the users is a member of the organization', async () => {
  const other = await (await service.org()).member('member')
  expect(await failure(turnStep([other.userId]))).toMatch(/choose others/)
  expect(await failure(turnStep(['{{trigger.data.none}}']))).toMatch(/choose others/)
})

test('a dry run does not change whose turn is next', async () => {
  const made = await insertWorkflow(ctx, org, { trigger: 'manual', steps: [turnStep(idsOf(team))] })
  const [a, b] = team
  expect(await turns(made, 1)).toEqual([a?.userId])
  const work = {
    ctx,
    caller: { ...org, userId: org.userId, keyId: null, country: 'US', currency: 'USD', orgId: org.id },
    path: 'steps[0]',
    type: 'next_member',
    input: { members: idsOf(team) },
    run: { id: made.id, firstId: made.id },
    workflow: { id: made.id, name: 'Turns' },
  } as const
  for (let n = 0; n < 2; n++)
    expect(await performDry(work)).toEqual({ id: b?.userId, name: 'Mia Member', email: b?.email })
  expect(await turns(made, 1)).toEqual([b?.userId])
})
