// An upsert that only updates runs as one statement. Other upserts run in waves, with the same result.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { RECORD_BYTES_MAX } from '../../../contract/limits.ts'
import type { BulkResult, CrmRecord } from '../../../contract/records.ts'
import type { Caller } from '../../base/caller.ts'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { NOTHING_WRITTEN } from '../../db/scope.ts'
import { setAttributeActive } from '../../model/attributes/service.ts'
import type { Org } from '../../test/factories.ts'
import { authorOf } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { updateKnown } from './known-updates.ts'
import { checkRow } from './row-checks.ts'
import type { CheckedBulkRow } from './waves.ts'

const service = await sharedTestService()
const { ctx } = service

const BULK = '/objects/people/records/bulk'
const COUNT = 12

type Data = Record<string, unknown>
const emailOf = (nth: number) => `p${nth}@x.org`
const people = (more: (nth: number) => Data = () => ({})) =>
  Array.from({ length: COUNT }, (_, nth) => ({
    data: { name: { firstName: 'P' }, email: emailOf(nth), ...more(nth) },
  }))

const everyone = async (org: Org) =>
  (await org.get<{ records: CrmRecord[] }>('/objects/people/records?limit=100&order=asc')).body.records

async function withPeople(more?: (nth: number) => Data): Promise<{ org: Org; ids: string[] }> {
  const org = await service.org()
  const { body } = await org.post<BulkResult>(BULK, { records: people(more) })
  return { org, ids: body.results.map(({ id }) => id ?? '') }
}

const upsert = (org: Org, records: readonly object[], more: object = {}) =>
  org.post<BulkResult>(BULK, { mode: 'upsert', matchOn: 'email', records, ...more })

const updates = async (org: Org) => (await org.events()).filter(({ type }) => type === 'record.updated')

async function updateTogether(
  org: Org,
  records: readonly { id?: string; data: Data }[],
  matchOn?: string,
  db: Db = ctx.db,
) {
  const model = await ctx.models.get(ctx.db, org.org, 'people')
  const caller: Caller = {
    org: org.org,
    orgId: '',
    userId: org.userId,
    keyId: org.keyId,
    country: 'US',
    currency: 'USD',
  }
  const attribute = matchOn === undefined ? undefined : model.attributes.get(matchOn)
  const rows = records.map((row, index) =>
    checkRow(model, caller, { index, ...row }, { mode: 'upsert', attribute }),
  )
  return updateKnown(db, caller, model, rows as CheckedBulkRow[])
}

describe('updateKnown', () => {
  test('updates records by a unique value or by their ids, and returns them in the order of the rows', async () => {
    const { org, ids } = await withPeople()
    const titled = people((nth) => ({ job_title: `Title ${nth}` })).reverse()
    const outcomes = ids.map((id, nth) => ({ index: COUNT - 1 - nth, id, status: 'updated' })).reverse()
    expect(await updateTogether(org, titled, 'email')).toEqual(outcomes)
    const byId = ids.map((id, nth) => ({ id: id.toUpperCase(), data: { job_title: `New ${nth}` } })).reverse()
    expect(await updateTogether(org, byId)).toEqual(outcomes)
    expect((await everyone(org)).map(({ data, version }) => [data['job_title'], version])).toEqual(
      ids.map((_, nth) => [`New ${nth}`, 3]),
    )
  })

  test.each(['hashjoin', 'nestloop', 'nestloop hashjoin', 'nestloop mergejoin'])(
    'makes events in the order of the rows without the join methods %s',
    async (methods) => {
      const { org, ids } = await withPeople()
      const titled = people((nth) => ({ job_title: `Title ${nth}` })).reverse()
      await ctx.db.transaction(async (tx) => {
        for (const method of methods.split(' '))
          await tx.run(sql`select set_config(${`enable_${method}`}, 'off', true)`)
        expect(await updateTogether(org, titled, 'email', tx)).toHaveLength(COUNT)
      })
      expect((await updates(org)).map(({ subject }) => subject)).toEqual(ids.reverse())
    },
  )

  test('writes nothing if the statement cannot update one of the rows', async () => {
    const { org, ids } = await withPeople()
    const company = await org.post<CrmRecord>('/objects/companies/records', { data: { name: 'Acme' } })
    const titled = people(() => ({ job_title: 'New' }))
    const [first, ...rest] = titled
    const other = (data: Data) => [...rest, { data: { ...first?.data, ...data } }]
    expect(await updateTogether(org, other({ email: 'new@x.org' }), 'email')).toBe(NOTHING_WRITTEN)
    expect(await updateTogether(org, other({ company: company.body.id }), 'email')).toBe(NOTHING_WRITTEN)
    expect(await updateTogether(org, other({ email: emailOf(1) }), 'email')).toBe(NOTHING_WRITTEN)
    expect(await updateTogether(org, [{ id: newId(), data: { job_title: 'New' } }])).toBe(NOTHING_WRITTEN)
    expect(await updateTogether(org, [{ id: ids[0] ?? '', data: { email: 'new@x.org' } }])).toBe(
      NOTHING_WRITTEN,
    )
    expect(await updates(org)).toEqual([])
  })
})

describe('an upsert of records that exist', () => {
  test('makes one event for each record that changes, in the order of the rows', async () => {
    const { org, ids } = await withPeople((nth) => ({ phone: '+12025550100', job_title: `Old ${nth}` }))
    const { body } = await upsert(
      org,
      people((nth) => ({ job_title: nth < 3 ? `Old ${nth}` : `New ${nth}`, phone: null }))
        .slice(2)
        .reverse(),
    )
    expect(body).toMatchObject({ created: 0, updated: COUNT - 2, failed: [] })
    expect(body.results.map(({ id }) => id)).toEqual(ids.slice(2).reverse())
    const events = await updates(org)
    expect(events.map(({ subject }) => subject)).toEqual(ids.slice(2).reverse())
    const phone = { from: '+12025550100', to: null }
    expect(events.at(-1)).toMatchObject({ changes: { phone } })
    expect(events[0]?.changes).toEqual({ phone, job_title: { from: 'Old 11', to: 'New 11' } })
    expect(events[0]?.data).toEqual({ name: { firstName: 'P' }, email: emailOf(11), job_title: 'New 11' })
    const again = await upsert(
      org,
      people((nth) => ({ job_title: nth < 3 ? `Old ${nth}` : `New ${nth}` })).slice(2),
    )
    expect(again.body).toMatchObject({ updated: COUNT - 2 })
    expect(await updates(org)).toHaveLength(events.length)
  })

  test('updates changed references and keeps the others', async () => {
    const companies = async (org: Org) =>
      Promise.all(
        ['A', 'B'].map(
          async (name) =>
            (await org.post<CrmRecord>('/objects/companies/records', { data: { name } })).body.id,
        ),
      )
    const { org } = await withPeople()
    const [a = '', b = ''] = await companies(org)
    const linked = (nth: number) => ({ company: nth % 2 === 0 ? a : b })
    await upsert(org, people(linked))
    await upsert(
      org,
      people((nth) => ({ ...linked(nth), job_title: 'New' })),
    )
    await upsert(
      org,
      people((nth) => (nth === 0 ? { company: null } : linked(nth))),
    )
    const links = await ctx.db.many<{ target: string; count: number }>(
      sql`select target, count(*)::int as count from links where org = ${org.org} group by target order by count`,
    )
    expect(links).toEqual([
      { target: a, count: COUNT / 2 - 1 },
      { target: b, count: COUNT / 2 },
    ])
  })

  test('fails only the record that would become too large', async () => {
    const { org } = await withPeople()
    await upsert(org, [{ data: { email: emailOf(0), job_title: 'x'.repeat(RECORD_BYTES_MAX - 1000) } }])
    await org.post('/objects/people/attributes', { name: 'Note', slug: 'note', type: 'text' })
    const { body } = await upsert(
      org,
      people((nth) => ({ note: 'y'.repeat(nth === 0 ? 2000 : 10) })),
    )
    expect(body).toMatchObject({ updated: COUNT - 1, failed: [{ index: 0 }] })
  })

  test('does not show inactive attributes in events', async () => {
    const { org } = await withPeople(() => ({ job_title: 'Hidden' }))
    const model = await ctx.models.get(ctx.db, org.org, 'people')
    await setAttributeActive(ctx, authorOf(org), {
      objectId: model.id,
      attributeId: model.attributes.get('job_title')?.id ?? '',
      isActive: false,
    })
    await upsert(
      org,
      people(() => ({ phone: '+12025550101' })),
    )
    for (const { data } of await updates(org)) expect(data).not.toHaveProperty('job_title')
  })

  test('changes nothing for a row without values', async () => {
    const { org, ids } = await withPeople()
    const reply = await org.post<BulkResult>(BULK, {
      mode: 'upsert',
      records: ids.map((id) => ({ id, data: {} })),
    })
    expect(reply.body).toMatchObject({ updated: COUNT, failed: [] })
    expect(await updates(org)).toEqual([])
  })

  test('by several concurrent writers loses no change', async () => {
    const { org } = await withPeople()
    const slugs = ['job_title', 'phone']
    const records = (writer: number) => {
      const rows = people(() => ({
        [slugs[writer % 2] ?? '']: writer % 2 === 0 ? `Title ${writer}` : `+1202555010${writer}`,
      }))
      return writer % 3 === 0 ? rows.reverse() : rows
    }
    const replies = await Promise.all(Array.from({ length: 8 }, (_, writer) => upsert(org, records(writer))))
    for (const { body } of replies) expect(body).toMatchObject({ updated: COUNT, failed: [] })
    for (const { version, data } of await everyone(org)) {
      expect(version).toBe(9)
      expect(data).toMatchObject({ job_title: expect.any(String), phone: expect.any(String) })
    }
    expect(await updates(org)).toHaveLength(8 * COUNT)
  })

  test('waits while another transaction changes the unique value, then creates a record', async () => {
    const { org, ids } = await withPeople()
    const sent = await ctx.db.transaction(async (tx) => {
      await tx.run(sql`select from records where org = ${org.org} and id = ${ids[0] ?? ''} for update`)
      const reply = upsert(
        org,
        people(() => ({ job_title: 'New' })),
      )
      // Uses another connection: within a transaction, pg_stat_activity keeps the state of its first read.
      const waiting = () =>
        ctx.db.value<boolean>(sql`
          select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`)
      await expect.poll(waiting).toBe(true)
      await tx.run(sql`delete from uniques where org = ${org.org} and id = ${ids[0] ?? ''}`)
      await tx.run(sql`
        update records set data = data - 'email', version = version + 1 where org = ${org.org} and id = ${ids[0] ?? ''}`)
      return { reply }
    })
    expect((await sent.reply).body).toMatchObject({ created: 1, updated: COUNT - 1, failed: [] })
    expect(await everyone(org)).toHaveLength(COUNT + 1)
  })
})
