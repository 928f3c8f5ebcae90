import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import type { DatabaseScope } from '../../db/scope.ts'
import { setAttributeActive } from '../../model/attributes/service.ts'
import { authorOf, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { createRecordWrites } from './batches.ts'
import { INSERTS } from './insert-batches.ts'

const service = await sharedTestService()
const { ctx } = service

const COMPANIES = '/objects/companies/records'
const PEOPLE = '/objects/people/records'

const postCompany = (org: Org, data: Record<string, unknown>) => org.post(COMPANIES, { data })

const countOf = (table: 'uniques' | 'links', { org }: Org) =>
  table === 'uniques'
    ? ctx.db.value<number>(sql`select count(*) from uniques where org = ${org}`)
    : ctx.db.value<number>(sql`select count(*) from links where org = ${org}`)

describe('records that are created at the same time', () => {
  test('are each written to their own organization and object, with author, event, unique values and references', async () => {
    const orgs = await Promise.all([service.org(), service.org(), service.org()])
    const targets = await Promise.all(orgs.map((org) => postCompany(org, { name: 'Acme' })))
    const replies = await Promise.all(
      orgs.flatMap((org, at) => [
        ...Array.from({ length: 5 }, (_, n) =>
          postCompany(org, { name: `C${n}`, domain: `c${n}.example.com` }),
        ),
        org.post(PEOPLE, {
          data: {
            name: { lastName: 'Lovelace' },
            email: 'ada@example.com',
            company: targets[at]?.body['id'],
          },
        }),
      ]),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
    for (const org of orgs) {
      const events = await org.events()
      expect(events.map(({ type }) => type)).toEqual(Array(7).fill('record.created'))
      const authors = await ctx.db.many(
        sql`select distinct actor, api_key, version, changes from events where org = ${org.org}`,
      )
      expect(authors).toEqual([{ actor: org.userId, api_key: org.keyId, version: 1, changes: null }])
      expect(await countOf('uniques', org)).toBe(6)
      expect(await countOf('links', org)).toBe(1)
    }
    for (const [at, { body }] of replies.entries()) {
      const org = orgs[Math.floor(at / 6)]
      const path = at % 6 === 5 ? PEOPLE : COMPANIES
      expect((await org?.get(`${path}/${body['id']}`))?.body).toEqual(body)
      const events = (await org?.events()) ?? []
      expect(events.find(({ subject }) => subject === body['id'])?.data).toEqual(body['data'])
    }
  })

  test('only one record gets a unique value, and the errors of the others name that record', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        postCompany(n === 11 ? other : org, { name: `${n}`, domain: 'same.example.com' }),
      ),
    )
    const created = replies.filter(({ status }) => status === 201)
    expect(created).toHaveLength(2)
    const winner = created.find((reply) => reply !== replies[11])
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expectError(reply, 'unique_violation')
      expect(reply.body['details']).toMatchObject({
        attributeSlug: 'domain',
        existingRecordId: winner?.body['id'],
      })
    }
    expect(await org.events()).toHaveLength(1)
  })

  test('a reference to a missing or foreign record fails only its own record', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const { body: theirs } = await postCompany(other, { name: 'Theirs' })
    const { body: ours } = await postCompany(org, { name: 'Ours' })
    const person = (company: unknown) => org.post(PEOPLE, { data: { name: { lastName: 'L' }, company } })
    const [fine, missing, foreign, alsoFine] = await Promise.all([
      person(ours['id']),
      person(newId()),
      person(theirs['id']),
      person(undefined),
    ])
    for (const reply of [missing, foreign]) expectError(reply, 'validation_error')
    for (const { status } of [fine, alsoFine]) expect(status).toBe(201)
    expect(await countOf('links', org)).toBe(1)
  })

  test('a reference to a record of the wrong object is refused, also next to a correct reference to it', async () => {
    const org = await service.org()
    const { body: company } = await postCompany(org, { name: 'Acme' })
    const deal = (data: Record<string, unknown>) =>
      org.post('/objects/deals/records', { data: { name: 'Deal', ...data } })
    const [wrong, fine] = await Promise.all([
      deal({ company: company['id'], contact: company['id'] }),
      deal({ company: company['id'] }),
    ])
    expectError(wrong, 'validation_error')
    expect(wrong.body['details']).toMatchObject({
      errors: [{ path: 'data.contact', code: 'invalid_reference' }],
    })
    expect(fine.status).toBe(201)
    expect(await countOf('links', org)).toBe(1)
  })

  test('a value of an attribute that another process has just deactivated is refused', async () => {
    const [org, other] = [await service.org(), await service.org()]
    await postCompany(org, { name: 'Known' })
    const model = await ctx.models.get(ctx.db, org.org, 'companies')
    const domain = model.attributes.get('domain')
    await setAttributeActive(ctx, authorOf(org), {
      objectId: model.id,
      attributeId: domain?.id ?? '',
      isActive: false,
    })
    const [refused, fine, elsewhere] = await Promise.all([
      postCompany(org, { name: 'A', domain: 'a.example.com' }),
      postCompany(org, { name: 'B' }),
      postCompany(other, { name: 'C', domain: 'a.example.com' }),
    ])
    expectError(refused, 'validation_error')
    expect([fine.status, elsewhere.status]).toEqual([201, 201])
  })

  test('are created immediately while another record waits for a unique value of an open transaction', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const model = await ctx.models.get(ctx.db, org.org, 'companies')
    const domain = model.attributes.get('domain')?.attr
    const open = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const writing = ctx.db.transaction(async (tx) => {
      await tx.run(
        sql`insert into uniques (org, attr, value, id) values (${org.org}, ${domain}, 'held.example.com', ${newId()})`,
      )
      begun.resolve()
      await open.promise
    })
    await begun.promise
    const held = postCompany(org, { name: 'A', domain: 'held.example.com' })
    const others = await Promise.all([postCompany(org, { name: 'B' }), postCompany(other, { name: 'C' })])
    expect(others.map(({ status }) => status)).toEqual([201, 201])
    open.resolve()
    await writing
    expect((await held).status).toBe(409)
  })
})

describe('a batch of inserts', () => {
  const UNBATCHED = { id: newId(), micros: 0, version: 1, data: '{}' }
  const unbatched = () => Promise.resolve(UNBATCHED)

  const dbWith = (send: (scope: DatabaseScope) => Promise<unknown>): Db => ({
    ...ctx.db,
    inScope: (scope) => ({ ...ctx.db, many: async () => [await send(scope)] as never }),
  })

  const company = async (org: Org, name: string) => {
    const model = await ctx.models.get(ctx.db, org.org, 'companies')
    const draft = {
      id: newId(),
      slugs: ['name'],
      data: JSON.stringify({ name }),
      comparable: null,
      bareAmounts: undefined,
      uniques: [],
      links: [],
    }
    const caller = { ...org, orgId: org.id, country: 'US', currency: 'USD' }
    return { caller, model, draft, scope: undefined }
  }

  test('declines its records if PostgreSQL refuses the statement', async () => {
    const org = await service.org()
    const inserts = createRecordWrites(
      dbWith((scope) => ctx.db.inScope(scope).many(sql`select 1 / 0`)),
      INSERTS,
    )
    const results = await Promise.all([
      inserts.write(await company(org, 'A'), unbatched),
      inserts.write(await company(org, 'B'), unbatched),
    ])
    expect(results).toEqual([UNBATCHED, UNBATCHED])
    expect(await org.events()).toEqual([])
  })

  test('fails its records if the statement may have been committed', async () => {
    const org = await service.org()
    const broken = new Error('Connection terminated unexpectedly')
    const inserts = createRecordWrites(
      dbWith((scope) => scope.committing(() => Promise.reject(broken))),
      INSERTS,
    )
    const settled = await Promise.allSettled([
      inserts.write(await company(org, 'A'), unbatched),
      inserts.write(await company(org, 'B'), unbatched),
    ])
    expect(settled).toEqual(Array(2).fill({ status: 'rejected', reason: broken }))
  })

  test('takes sixteen records of one organization and declines further ones', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const inserts = createRecordWrites(ctx.db, INSERTS)
    const wanted = await Promise.all(
      Array.from({ length: 21 }, (_, n) => company(n === 20 ? other : org, `C${n}`)),
    )
    const results = await Promise.all(wanted.map((one) => inserts.write(one, unbatched)))
    expect(results.map((record) => record !== UNBATCHED)).toEqual([
      ...Array(16).fill(true),
      ...Array(4).fill(false),
      true,
    ])
  })
})
