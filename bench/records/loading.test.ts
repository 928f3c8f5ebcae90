import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { buildTestService } from '../../server/test/build-app.ts'
import { testDatabaseUrl } from '../../server/test/database.ts'
import { companyId, makeCompanies } from './companies.ts'
import { makeLimitTable } from './limit-table.ts'
import { loadPeople } from './loading.ts'
import { makeBackground, makeObject, makeOwner } from './objects.ts'
import { personAt } from './people.ts'

const { app, ctx } = await buildTestService()
const url = await app.listen({ port: 0, host: '127.0.0.1' })
const { database } = await ctx.db.one<{ database: string }>(sql`select current_database() as database`)

interface Written {
  record: { data: object; comparable: object }
  uniques: object[]
  links: object[]
  event: { type: string; obj: number; actor: string; data: object }
}

/** The rows that the service keeps of the person with this email address. */
const writtenOf = (email: string) =>
  ctx.db.one<Written>(sql`
    select json_build_object('data', r.data, 'comparable', r.comparable) as record,
      (select json_agg(json_build_object('org', org, 'attr', attr, 'value', value)) from uniques u where u.id = r.id) as uniques,
      (select json_agg(json_build_object('org', org, 'attr', attr, 'target', target)) from links l where l.id = r.id) as links,
      (select json_build_object('type', type, 'obj', obj, 'actor', actor, 'data', data) from events e where e.subject = r.id) as event
    from records r where r.data->>'email' = ${email}`)

test('loadPeople writes the same rows as the API, and the same people to the limit', async () => {
  const owner = await makeOwner(ctx)
  const { userId } = owner.caller
  const object = await makeObject(ctx, { url, owner, slug: 'contacts' })
  await makeCompanies(ctx, owner.caller, 5)
  const background = await makeBackground(ctx, object, 7)
  await makeLimitTable(ctx.db)
  const plan = { object, records: 40, companies: 5, background, backgroundRecords: 21, userId }
  await loadPeople({ connectionString: testDatabaseUrl(database) }, plan, () => undefined)

  const companies = { count: 5, idOf: companyId }
  const response = await fetch(`${url}/api/v1/objects/contacts/records`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: personAt(7, { mark: 'new-', companies }) }),
  })
  expect(response.status).toBe(201)
  const loaded = await writtenOf(personAt(7).email)
  const created = await writtenOf(`new-${personAt(7).email}`)
  expect(JSON.parse(JSON.stringify(created).replaceAll('new-', ''))).toEqual(loaded)

  const { counts } = await ctx.db.one<{ counts: number[] }>(sql`
    select array[(select count(*) from bench.people),
      (select count(*) from bench.people p join records r using (id, updated_at) where r.obj = ${object.obj}),
      (select count(*) from records where obj = any(${background.map(({ obj }) => obj)}::int[])),
      (select count(distinct obj) from records where obj = any(${background.map(({ obj }) => obj)}::int[]))]::int[] as counts`)
  expect(counts).toEqual([40, 40, 21, 7])
})
