// With the first statistics of a database, PostgreSQL looks up records by their key.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { buildTestService } from '../../../test/build-app.ts'
import { makeFirstStatistics } from './first-statistics.ts'

const service = await buildTestService()
const { db } = service.ctx

const addCompanies = (org: number, obj: number, count: number) =>
  db.run(sql`
    insert into records (org, obj, id, updated_at, event_order, data)
    select ${org}, ${obj}, id, uuid_extract_timestamp(id), current_event_order(),
           jsonb_build_object('name', repeat('x', 200))
    from (select uuidv7() as id from generate_series(1, ${count}::int)) as new`)

test('makes the first statistics when there are records', async () => {
  const { org } = await service.org()
  const obj = await db.value<number>(sql`select obj from objects where org = ${org} and slug = 'companies'`)
  expect(await makeFirstStatistics(db)).toBe(false)
  await addCompanies(org, obj, 3000)
  expect(await makeFirstStatistics(db)).toBe(true)
  const plan = await db.many<Record<string, string>>(sql`
    explain (costs off)
    select from records where org = ${org} and obj = ${obj} and id = ${crypto.randomUUID()}::uuid`)
  expect(plan.flatMap((line) => Object.values(line)).join('\n')).toContain('records_pkey')
})
