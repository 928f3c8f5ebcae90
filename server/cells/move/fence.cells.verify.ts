// Late steps of commands and jobs: another command or a later move has continued in between.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId } from '../../base/id.ts'
import { buildTestService } from '../../test/build-app.ts'
import { createTestCells } from '../../test/cells.ts'
import { removeOrganization } from './clear.ts'
import {
  closeTarget,
  findGuard,
  guardSource,
  guardTarget,
  hideTarget,
  installGuard,
  openMoveTarget,
  removeGuard,
} from './guard.ts'
import { create } from './move.fixture.ts'
import { writing } from './rows.ts'
import { raiseSequence } from './store.ts'
import { endMove } from './take-over.ts'

const databases = await createTestCells()
const service = await buildTestService({}, undefined, databases)
const one = service.ctx.cells.of(1)
const { db } = one

const changed = { name: 'GuardChangedError' }
const peopleOf = (org: number) =>
  db.value<number>(sql`select count(*)::int as n from records where org = ${org}`)
const triggersOf = (org: number) =>
  db.value<number>(sql`select count(*)::int as n from pg_trigger where tgname like ${`move\\_${org}\\_%`}`)

test('removing rows that a move left behind stops when the organization comes back', async () => {
  const org = await service.org({ ctx: one })
  await create(org, { name: 'Copied again' })
  await db.run(sql`insert into organization_moves (org, state) values (${org.org}, 'left')`)
  await installGuard(db, org.org)
  await guardTarget(db, org.org, newId())
  const late = { org: org.org, cell: 1, expected: { state: 'left' } } as const
  await expect(removeOrganization(db, late)).rejects.toMatchObject(changed)
  await expect(removeGuard(db, org.org, { state: 'open' })).rejects.toMatchObject(changed)
  expect(await peopleOf(org.org)).toBe(1)
  expect(await triggersOf(org.org)).toBeGreaterThan(0)
  expect(await findGuard(db, org.org)).toMatchObject({ state: 'hidden' })
})

test('a command cannot write to the target after another command has taken over', async () => {
  const { org } = await service.org({ ctx: one })
  const [first, second] = [newId(), newId()]
  await guardTarget(db, org, first)
  await guardTarget(db, org, second)
  const write = (holder: string) => writing({ org, target: db, holder }, async () => undefined)
  await expect(write(first)).rejects.toMatchObject(changed)
  await write(second)
})

test('only the latest round can hide and open a target', async () => {
  const { org } = await service.org({ ctx: one })
  await guardTarget(db, org, newId())
  await closeTarget(db, org, 2)
  await hideTarget(db, org, 1)
  expect(await findGuard(db, org)).toMatchObject({ state: 'closed', round: 2 })
  expect(await openMoveTarget(db, org, 1)).toBe(false)
  await hideTarget(db, org, 2)
  expect(await openMoveTarget(db, org, 2)).toBe(true)
  await expect(guardTarget(db, org, newId())).rejects.toMatchObject(changed)
  await guardSource(db, org)
  expect(await findGuard(db, org)).toEqual({ state: 'copying', round: 0, copied: [] })
})

test('a sequence is never lowered', async () => {
  const next = () => db.value<string>(sql`select nextval('object_versions')::text as n`)
  await raiseSequence(db, 'object_versions', 5_000_000)
  await raiseSequence(db, 'object_versions', 10)
  expect(Number(await next())).toBe(5_000_001)
})

test('a late end of a move does not change an organization that has come back', async () => {
  const { org, id } = await service.org({ ctx: one })
  const holder = newId()
  await one.db.run(sql`update objects set index_since = now() where org = ${org}`)
  await guardTarget(db, org, holder)
  await guardTarget(service.ctx.cells.of(2).db, org, newId())
  await service.ctx.cells.of(2).db.run(sql`update organization_moves set state = 'open' where org = ${org}`)
  const move = { org, orgId: id, source: 1, target: 2, state: 'switched', round: 1 } as const
  await endMove(service.ctx, move)
  expect(await findGuard(db, org)).toMatchObject({ state: 'hidden' })
  expect(
    await db.maybeOne(sql`select from objects where org = ${org} and index_since is null`),
  ).toBeUndefined()
})
