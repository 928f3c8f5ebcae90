import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { isHere, isSettledIn, takesWork } from './placement.ts'

const { ctx, org: makeOrg } = await buildTestService()
const { org } = await makeOrg()
const forget = () => ctx.db.run(sql`delete from organization_moves where org = ${org}`)
afterAll(forget)

const answers = (cell: number) =>
  ctx.db.one(sql`
    select ${isHere(sql`o.org`)} as "isHere", ${takesWork(sql`o.org`)} as "takesWork",
      ${isSettledIn(sql`o`, cell)} as "isSettled"
    from organizations o where o.org = ${org}`)

test.each([
  [undefined, true, true, true],
  ['copying', true, true, false],
  ['paused', true, false, false],
  ['closed', false, false, false],
  ['left', false, false, false],
  ['hidden', false, false, false],
  ['open', true, true, true],
])('the conditions for an organization with the guard %s', async (state, here, work, isSettled) => {
  await forget()
  if (state !== undefined)
    await ctx.db.run(sql`insert into organization_moves (org, state) values (${org}, ${state})`)
  expect(await answers(ctx.cell)).toEqual({ isHere: here, takesWork: work, isSettled })
})

test('an organization is settled only in its own cell', async () => {
  await forget()
  expect(await answers(ctx.cell + 1)).toEqual({ isHere: true, takesWork: true, isSettled: false })
})
