// Changes that are made during a copy are copied in batches.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId } from '../../base/id.ts'
import { buildTestService } from '../../test/build-app.ts'
import { createTestCells } from '../../test/cells.ts'
import { copyMovingOrganization } from '../copies.ts'
import { type Copy, copyLaterChanges, copyTables, readChanged } from './copy.ts'
import { guardSource, guardTarget, installGuard } from './guard.ts'
import { create, rowsIn } from './move.fixture.ts'
import { listTables } from './tables.ts'

const databases = await createTestCells()
const service = await buildTestService({}, undefined, databases)
const [one, two] = [service.ctx.cells.of(1), service.ctx.cells.of(2)]

const FILES = 2500

const insertFiles = (org: number) =>
  one.db.run(sql`
    insert into files (org, id, bucket, path, key, token, expires_at)
    select ${org}::int, gen_random_uuid(), 'docs', n::text, ${org}::int || '/' || n, ${org}::int || ' ' || n, now()
    from generate_series(1, ${FILES}::int) as n`)

test('many changes are copied in batches, each change once', async () => {
  const given = await service.org({ ctx: one })
  const { org } = given
  const holder = newId()
  await guardTarget(two.db, org, holder)
  await guardSource(one.db, org)
  await installGuard(one.db, org)
  const tables = await listTables(one.db)
  const { signal } = new AbortController()
  const copy: Copy = {
    ...{ org, source: one.db, target: two.db, holder, tables, signal },
    isClosing: false,
    directory: undefined,
    onRows: () => undefined,
  }
  await two.db.transaction((tx) => copyMovingOrganization(databases.pool, tx, { org, orgId: given.id }))
  await copyTables(copy)
  await insertFiles(org)
  await one.db.run(sql`update files set key = 'moved ' || key where org = ${org}`)
  await one.db.run(sql`delete from files where org = ${org} and path like '1%'`)
  await create(given, { name: 'Ada' })
  const batches: [string, number][] = []
  await one.db.snapshot(async (at) => {
    for await (const { table, count } of readChanged(at, org, tables)) batches.push([table.name, count])
  })
  const ofFiles = batches.filter(([name]) => name === 'files').map(([, count]) => count)
  expect(ofFiles.length).toBeGreaterThanOrEqual(3)
  expect(Math.max(...ofFiles)).toBeLessThanOrEqual(1000)
  expect(ofFiles.reduce((sum, count) => sum + count)).toBe(FILES)
  const order = tables.map(({ name }) => name)
  const places = batches.map(([name]) => order.indexOf(name))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(await copyLaterChanges(copy)).toBe(batches.reduce((sum, [, count]) => sum + count, 0))
  expect(await copyLaterChanges(copy)).toBe(0)
  const { records, files } = await rowsIn(one, { org })
  expect(await rowsIn(two, { org })).toMatchObject({ records, files })
})
