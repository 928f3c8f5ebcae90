import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { RECORD_BYTES_MAX } from '../../../contract/limits.ts'
import type { CrmRecord } from '../../../contract/records.ts'
import { newId } from '../../base/id.ts'
import { setAttributeActive } from '../../model/attributes/service.ts'
import { authorOf, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()
const { ctx } = service

const PEOPLE = '/objects/people/records'

const person = async (org: Org, data: Record<string, unknown> = {}): Promise<CrmRecord> =>
  (await org.post<CrmRecord>(PEOPLE, { data: { name: { lastName: 'Lovelace' }, ...data } })).body

const patch = (org: Org, { id }: Pick<CrmRecord, 'id'>, data: Record<string, unknown>) =>
  org.patch<CrmRecord>(`${PEOPLE}/${id}`, { data })

const updates = async (org: Org) => (await org.events()).filter(({ type }) => type === 'record.updated')

describe('records that are changed at the same time', () => {
  test('are each changed in their own organization, with author, event, changes and version', async () => {
    const orgs = await Promise.all([service.org(), service.org(), service.org()])
    const asked = await Promise.all(
      orgs.flatMap((org) =>
        Array.from({ length: 5 }, async (_, n) => ({
          org,
          n,
          record: await person(org, { job_title: `Old ${n}`, phone: '+12025550100' }),
        })),
      ),
    )
    const replies = await Promise.all(
      asked.map(({ org, n, record }) => patch(org, record, { job_title: `New ${n}`, phone: null })),
    )
    for (const [at, { org, n, record }] of asked.entries()) {
      const { status, body, headers } = replies[at] ?? {}
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { id: record.id, version: 2, data: { name: { lastName: 'Lovelace' }, job_title: `New ${n}` } },
      })
      const read = await org.get(`${PEOPLE}/${record.id}`)
      expect([read.body, read.headers['etag']]).toEqual([body, headers?.['etag']])
      const event = (await updates(org)).find(({ subject }) => subject === record.id)
      expect(event).toMatchObject({
        data: body?.data,
        changes: {
          job_title: { from: `Old ${n}`, to: `New ${n}` },
          phone: { from: record.data['phone'], to: null },
        },
      })
    }
    for (const org of orgs) {
      const authors = await ctx.db.many(
        sql`select distinct actor, api_key, version from events where org = ${org.org} and type = 'record.updated'`,
      )
      expect(authors).toEqual([{ actor: org.userId, api_key: org.keyId, version: 2 }])
    }
  })

  test('twelve changes of one record are all applied, one after the other', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const [record, theirs] = [await person(org), await person(other)]
    const replies = await Promise.all([
      patch(other, theirs, { job_title: 'Other' }),
      ...Array.from({ length: 12 }, (_, n) => patch(org, record, { job_title: `Title ${n}` })),
    ])
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    const versions = replies.slice(1).map(({ body }) => body.version)
    expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 2))
    expect(await updates(org)).toHaveLength(12)
  })

  test('a change without effect makes no event, and a missing or foreign record is not found', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const [record, second, theirs] = [await person(org), await person(org), await person(other)]
    const [same, changed, foreign, missing] = await Promise.all([
      patch(org, record, { name: { lastName: 'Lovelace' } }),
      patch(org, second, { job_title: 'New' }),
      patch(org, theirs, { job_title: 'Foreign' }),
      patch(org, { id: newId() }, { job_title: 'Missing' }),
    ])
    expect([same.status, same.body.version, changed.status]).toEqual([200, 1, 200])
    for (const reply of [foreign, missing]) expectError(reply, 'not_found')
    expect((await updates(org)).map(({ subject }) => subject)).toEqual([second.id])
    expect(await updates(other)).toEqual([])
  })

  test('hidden values are kept, and are in neither responses nor events', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const [record, theirs] = [await person(org, { job_title: 'Hidden' }), await person(other)]
    const model = await ctx.models.get(ctx.db, org.org, 'people')
    const target = { objectId: model.id, attributeId: model.attributes.get('job_title')?.id ?? '' }
    await setAttributeActive(ctx, authorOf(org), { ...target, isActive: false })
    const [refused, changed] = await Promise.all([
      patch(org, record, { job_title: 'New' }),
      patch(org, record, { phone: '+12025550111' }),
      patch(other, theirs, { job_title: 'Other' }),
    ])
    expectError(refused, 'validation_error')
    expect(Object.keys(changed.body.data).sort()).toEqual(['name', 'phone'])
    expect(Object.keys((await updates(org)).at(-1)?.data ?? {}).sort()).toEqual(['name', 'phone'])
    await setAttributeActive(ctx, authorOf(org), { ...target, isActive: true })
    expect((await org.get<CrmRecord>(`${PEOPLE}/${record.id}`)).body.data['job_title']).toBe('Hidden')
  })

  test('do not wait for a record that another transaction has locked', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const [held, free, theirs] = [await person(org), await person(org), await person(other)]
    const begun = Promise.withResolvers<void>()
    const open = Promise.withResolvers<void>()
    const holding = ctx.db.transaction(async (tx) => {
      await tx.run(sql`select from records where org = ${org.org} and id = ${held.id} for update`)
      begun.resolve()
      await open.promise
    })
    await begun.promise
    const waiting = patch(org, held, { job_title: 'Late' })
    const others = await Promise.all([
      patch(org, free, { job_title: 'A' }),
      patch(other, theirs, { job_title: 'B' }),
    ])
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    open.resolve()
    await holding
    expect((await waiting).body.data['job_title']).toBe('Late')
  })

  test('only the record that would become too large is refused', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const notes = 'n'.repeat(9000)
    const { body: object } = await org.get<{ id: string }>('/objects/people')
    const slugs = Array.from({ length: Math.ceil(RECORD_BYTES_MAX / 9000) + 1 }, (_, n) => `notes_${n}`)
    for (const slug of slugs)
      await org.post(`/objects/${object.id}/attributes`, { name: slug, slug, type: 'text' })
    const filled = Object.fromEntries(slugs.slice(1, -1).map((slug) => [slug, notes]))
    const [large, theirs] = [await person(org, filled), await person(other)]
    const [refused, fine] = await Promise.all([
      patch(org, large, { [slugs[0] ?? '']: notes, [slugs.at(-1) ?? '']: notes }),
      patch(other, theirs, { job_title: 'Fine' }),
    ])
    expectError(refused, 'validation_error')
    expect(fine.status).toBe(200)
    expect(await updates(org)).toEqual([])
  })
})
