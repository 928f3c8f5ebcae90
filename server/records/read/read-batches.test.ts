import { describe, expect, test } from 'vitest'
import { setAttributeActive } from '../../model/attributes/service.ts'
import { authorOf, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { createRecordReads } from './read-batches.ts'

const service = await sharedTestService()
const { ctx } = service

const pathOf = (id: unknown) => `/objects/companies/records/${id}`

async function makeRecords(org: Org, count: number) {
  const created = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      org.post('/objects/companies/records', {
        data: { name: `${org.org} ${n}`, domain: `c${n}.example.com` },
      }),
    ),
  )
  return created.map(({ body }) => body)
}

describe('concurrent reads of records', () => {
  test('return to each request its own record, for any organization and object', async () => {
    const orgs = await Promise.all([service.org(), service.org(), service.org()])
    const sets = await Promise.all(orgs.map((org) => makeRecords(org, 20)))
    const person = await orgs[0].post('/objects/people/records', { data: { name: { lastName: 'Lovelace' } } })
    const asked = orgs.flatMap((org, at) => (sets[at] ?? []).map((record) => ({ org, record })))
    const reads = asked.map(async ({ org, record }) => ({ record, ...(await org.get(pathOf(record['id']))) }))
    const readPerson = orgs[0].get(`/objects/people/records/${person.body['id']}`)
    for (const { status, body, record } of await Promise.all(reads)) {
      expect(status).toBe(200)
      expect(body).toEqual(record)
    }
    expect((await readPerson).body).toEqual(person.body)
  })

  test('return 404 for a missing record and for a record of another organization, and the other records', async () => {
    const [own, other] = [await service.org(), await service.org()]
    const [[mine], [theirs]] = [await makeRecords(own, 1), await makeRecords(other, 1)]
    const [found, missing, foreign, elsewhere] = await Promise.all([
      own.get(pathOf(mine?.['id'])),
      own.get(pathOf('01890000-0000-7000-8000-000000000000')),
      own.get(pathOf(theirs?.['id'])),
      own.get(`/objects/people/records/${mine?.['id']}`),
    ])
    expect(found.body).toEqual(mine)
    for (const reply of [missing, foreign, elsewhere]) expectError(reply, 'not_found')
  })

  test('return no value of an attribute that another process has just deactivated', async () => {
    const org = await service.org()
    const [first, second] = await makeRecords(org, 2)
    const model = await ctx.models.get(ctx.db, org.org, 'companies')
    const domain = model.attributes.get('domain')
    const target = { objectId: model.id, attributeId: domain?.id ?? '', isActive: false }
    // Another process has its own cache.
    await setAttributeActive(ctx, authorOf(org), target)
    const reads = await Promise.all([first, second].map((record) => org.get(pathOf(record?.['id']))))
    expect(reads.map(({ body }) => body['data'])).toEqual([
      { name: `${org.org} 0` },
      { name: `${org.org} 1` },
    ])
  })

  test('fail together when their statement fails, and later reads succeed', async () => {
    const org = await service.org()
    const [one, two] = await makeRecords(org, 2)
    const model = await ctx.models.get(ctx.db, org.org, 'companies')
    const broken = new Error('broken')
    let failures = 1
    const many: typeof ctx.db.many = (query) => (failures-- > 0 ? Promise.reject(broken) : ctx.db.many(query))
    const reads = createRecordReads({ ...ctx.db, many })
    const find = (record: typeof one) => reads.find(ctx.db, model, String(record?.['id']))
    const settled = await Promise.allSettled([find(one), find(two)])
    expect(settled).toEqual([one, two].map(() => ({ status: 'rejected', reason: broken })))
    expect((await Promise.all([find(one), find(two)])).map((record) => record?.id)).toEqual([
      one?.['id'],
      two?.['id'],
    ])
  })

  test('use few statements for any number of records', async () => {
    const orgs = await Promise.all(Array.from({ length: 10 }, () => service.org()))
    const wanted = await Promise.all(
      orgs.map(async (org) => ({
        model: await ctx.models.get(ctx.db, org.org, 'companies'),
        ids: (await makeRecords(org, 15)).map(({ id }) => String(id)),
      })),
    )
    let statements = 0
    const many: typeof ctx.db.many = (query) => {
      statements++
      return ctx.db.many(query)
    }
    const reads = createRecordReads({ ...ctx.db, many })
    const found = await Promise.all(
      wanted.flatMap(({ model, ids }) => ids.map((id) => reads.find(ctx.db, model, id))),
    )
    expect(found.map((record) => record?.id)).toEqual(wanted.flatMap(({ ids }) => ids))
    expect(statements).toBe(2)
  })

  test('read a limited number of records of one organization in a batch, and then the others', async () => {
    const org = await service.org()
    const records = await makeRecords(org, 40)
    const model = await ctx.models.get(ctx.db, org.org, 'companies')
    const sizes: number[] = []
    const many: typeof ctx.db.many = async (query) => {
      const rows = await ctx.db.many<never>(query)
      sizes.push(rows.length)
      return rows
    }
    const reads = createRecordReads({ ...ctx.db, many })
    const found = await Promise.all(records.map(({ id }) => reads.find(ctx.db, model, String(id))))
    expect(found.map((record) => record?.id)).toEqual(records.map(({ id }) => id))
    expect(sizes[0]).toBe(16)
    expect(Math.max(...sizes)).toBe(16)
  })

  test('read long records one by one, and small records of the same batch together', async () => {
    const org = await service.org()
    const long = 'x'.repeat(20_000)
    const created = await Promise.all(
      [long, 'short', long].map((name) => org.post('/objects/companies/records', { data: { name } })),
    )
    const model = await ctx.models.get(ctx.db, org.org, 'companies')
    const inBatches: (string | null)[] = []
    const oneByOne: unknown[] = []
    const many: typeof ctx.db.many = async (query) => {
      const rows = await ctx.db.many<never>(query)
      inBatches.push(...rows.map((row: { data: string | null }) => row.data))
      return rows
    }
    const maybeOne: typeof ctx.db.maybeOne = (query) => {
      oneByOne.push(query.values.at(-4))
      return ctx.db.maybeOne(query)
    }
    const reads = createRecordReads({ ...ctx.db, many })
    const find = ({ body }: (typeof created)[number]) =>
      reads.find({ ...ctx.db, maybeOne }, model, String(body['id']))
    const names = (found: Awaited<ReturnType<typeof find>>[]) =>
      found.map((record) => JSON.parse(record?.data ?? '{}').name)
    expect(names(await Promise.all(created.map(find)))).toEqual([long, 'short', long])
    expect(inBatches).toEqual([null, expect.stringContaining('short'), null])
    expect(oneByOne).toEqual([created[0]?.body['id'], created[2]?.body['id']])
    // From now on the object is treated as one with long records.
    await Promise.all(created.map(find))
    expect(inBatches).toHaveLength(3)
    expect(oneByOne).toHaveLength(5)
  })
})
