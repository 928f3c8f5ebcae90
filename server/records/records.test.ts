import { describe, expect, test } from 'vitest'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'

const service = await sharedTestService()

const ADA = {
  name: { firstName: 'Ada', lastName: 'Lovelace' },
  email: 'Ada@Example.com',
  phone: '+1 555 867 5309',
  job_title: 'Analyst',
}

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)

describe('empty text', () => {
  interface Made {
    id: string
    data: Record<string, unknown>
  }
  const cleared = (slug: string) => ({
    errors: [
      { path: `data.${slug}`, code: 'empty_text', message: expect.stringContaining('send null to clear it') },
    ],
  })

  test.each([
    ['email', 'ada@example.com'],
    ['phone', '+1 555 867 5309'],
  ])('does not clear %s, but null does', async (slug, value) => {
    const org = await service.org()
    const { body } = await org.post<Made>('/objects/people/records', { data: { name: 'Ada', [slug]: value } })
    const path = `/objects/people/records/${body.id}`
    const refused = await org.patch(path, { data: { [slug]: '' } })
    expectError(refused, 'validation_error')
    expect(refused.body['details']).toMatchObject(cleared(slug))
    expect((await org.get<Made>(path)).body.data[slug]).toBe(value)
    expect((await org.patch<Made>(path, { data: { [slug]: null } })).body.data).not.toHaveProperty(slug)
  })

  test('is stored in a text attribute, matches equals and does not match isEmpty', async () => {
    const org = await service.org()
    const { body } = await org.post<Made>('/objects/people/records', {
      data: { name: 'Ada', job_title: 'x' },
    })
    const path = `/objects/people/records/${body.id}`
    expect((await org.patch<Made>(path, { data: { job_title: '' } })).body.data).toMatchObject({
      job_title: '',
    })
    const found = async (filter: string) =>
      (await org.get<{ records: Made[] }>(`/objects/people/records?${filter}`)).body.records.length
    expect(await found('filter[job_title][equals]=')).toBe(1)
    expect(await found('filter[job_title][isEmpty]=true')).toBe(0)
  })

  test('fails a bulk row if the attribute is a number, and never violates uniqueness', async () => {
    const org = await service.org()
    await org.post('/objects/companies/attributes', { name: 'Code', type: 'text', isUnique: true })
    const { body: one } = await org.post<Made>('/objects/companies/records', {
      data: { name: 'Acme', employees: 5 },
    })
    const records = [
      { id: one.id, data: { employees: '' } },
      { data: { name: 'B', code: '' } },
      { data: { name: 'C', code: '' } },
    ]
    const { body } = await org.post<{ created: number; failed: { index: number; error: string }[] }>(
      '/objects/companies/records/bulk',
      { mode: 'upsert', records },
    )
    expect(body.created).toBe(2)
    expect(body.failed).toMatchObject([
      {
        index: 0,
        id: one.id,
        attribute: 'employees',
        error: expect.stringContaining('send null to clear it'),
      },
    ])
    expect((await org.get<Made>(`/objects/companies/records/${one.id}`)).body.data).toMatchObject({
      employees: 5,
    })
  })
})

describe('POST /objects/:objectId/records', () => {
  test('returns the whole record and writes its event', async () => {
    const org = await service.org()
    const created = await org.post('/objects/people/records', { data: ADA })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: uuid,
      objectId: uuid,
      data: ADA,
      createdAt: iso,
      updatedAt: iso,
      version: 1,
    })
    expect(created.headers['etag']).toMatch(/^"[0-9a-z]+\.[\w-]{11}"$/)
    expect(created.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(await org.events()).toEqual([
      { type: 'record.created', subject: created.body['id'], data: ADA, changes: null },
    ])
    const read = await org.get(`/objects/people/records/${created.body['id']}`)
    expect(read.status).toBe(200)
    expect(read.body).toEqual(created.body)
  })

  test('keeps every digit of a number', async () => {
    const org = await service.org()
    const created = await org.post(
      '/objects/companies/records',
      '{"data":{"name":"Big","employees":12345678901234567890.123456789}}',
    )
    expect(created.status).toBe(201)
    const raw = await service.inject({
      url: `/api/v1/objects/companies/records/${created.body['id']}`,
      headers: { authorization: `Bearer ${org.key}` },
    })
    expect(raw.payload).toContain('12345678901234567890.123456789')
  })

  test('refuses invalid data, lists every fault and writes nothing', async () => {
    const org = await service.org()
    const reply = await org.post('/objects/people/records', { data: { email: 'nonsense', nickname: 'x' } })
    expectError(reply, 'validation_error')
    const { errors } = reply.body['details'] as { errors: { path: string }[] }
    expect(errors.map(({ path }) => path).sort()).toEqual(['data.email', 'data.name', 'data.nickname'])
    expect(await org.events()).toEqual([])
  })

  test('refuses a reference to a record of another organization', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const foreign = await other.post('/objects/companies/records', { data: { name: 'Theirs' } })
    const reply = await org.post('/objects/people/records', { data: { ...ADA, company: foreign.body['id'] } })
    expectError(reply, 'validation_error')
    expect(reply.body['details']).toMatchObject({
      errors: [{ path: 'data.company', code: 'invalid_reference' }],
    })
    expect(await org.events()).toEqual([])
  })

  test('fifty concurrent requests with one unique value make one record and 49 conflicts that name it', async () => {
    const org = await service.org()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        org.post('/objects/people/records', {
          data: {
            ...ADA,
            job_title: `Nr ${index}`,
            email: index % 2 ? 'ADA@example.com' : 'ada@EXAMPLE.com',
          },
        }),
      ),
    )
    const [created, ...more] = replies.filter(({ status }) => status === 201)
    expect(more).toEqual([])
    const refused = replies.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(49)
    for (const reply of refused) {
      expectError(reply, 'unique_violation')
      expect(reply.body['details']).toEqual({ attributeSlug: 'email', existingRecordId: created?.body['id'] })
    }
    expect(await org.events()).toHaveLength(1)
  })

  test('another organization may use the same unique value', async () => {
    const [one, two] = [await service.org(), await service.org()]
    expect((await one.post('/objects/people/records', { data: ADA })).status).toBe(201)
    expect((await two.post('/objects/people/records', { data: ADA })).status).toBe(201)
  })
})

describe('PATCH /objects/:objectId/records/:recordId', () => {
  test('merges, clears with null, and reports what changed', async () => {
    const org = await service.org()
    const { body } = await org.post('/objects/people/records', { data: ADA })
    const patched = await org.patch(`/objects/people/records/${body['id']}`, {
      data: { job_title: 'Countess', phone: null },
    })
    const { phone: _, ...rest } = ADA
    expect(patched.status).toBe(200)
    expect(patched.body).toEqual({
      ...body,
      data: { ...rest, job_title: 'Countess' },
      updatedAt: iso,
      version: 2,
    })
    expect((await org.events())[1]).toEqual({
      type: 'record.updated',
      subject: body['id'],
      data: { ...rest, job_title: 'Countess' },
      changes: { job_title: { from: 'Analyst', to: 'Countess' }, phone: { from: ADA.phone, to: null } },
    })
  })

  test('without a change makes no event and no new version', async () => {
    const org = await service.org()
    const created = await org.post('/objects/people/records', { data: ADA })
    const patched = await org.patch(`/objects/people/records/${created.body['id']}`, { data: ADA })
    expect(patched.body).toEqual(created.body)
    expect(patched.headers['etag']).toBe(created.headers['etag'])
    expect(await org.events()).toHaveLength(1)
  })

  test('refuses null for a required attribute, and a taken unique value', async () => {
    const org = await service.org()
    const [first, second] = [
      await org.post('/objects/people/records', { data: ADA }),
      await org.post('/objects/people/records', { data: { ...ADA, email: 'b@example.com' } }),
    ]
    expectError(
      await org.patch(`/objects/people/records/${first.body['id']}`, { data: { name: null } }),
      'validation_error',
    )
    const taken = await org.patch(`/objects/people/records/${second.body['id']}`, {
      data: { email: ADA.email },
    })
    expectError(taken, 'unique_violation')
    expect(taken.body['details']).toEqual({ attributeSlug: 'email', existingRecordId: first.body['id'] })
  })

  test('frees the unique value it replaces', async () => {
    const org = await service.org()
    const { body } = await org.post('/objects/people/records', { data: ADA })
    await org.patch(`/objects/people/records/${body['id']}`, { data: { email: 'new@example.com' } })
    expect((await org.post('/objects/people/records', { data: ADA })).status).toBe(201)
    expectError(
      await org.post('/objects/people/records', { data: { ...ADA, email: 'NEW@example.com' } }),
      'unique_violation',
    )
  })

  test('is refused with a stale If-Match and accepted with the current one', async () => {
    const org = await service.org()
    const created = await org.post('/objects/people/records', { data: ADA })
    const path = `/objects/people/records/${created.body['id']}`
    const etag = String(created.headers['etag'])
    const first = await org.patch(path, { data: { job_title: 'One' } }, { 'if-match': etag })
    expect(first.status).toBe(200)
    expectError(
      await org.patch(path, { data: { job_title: 'Two' } }, { 'if-match': etag }),
      'precondition_failed',
    )
    expect(
      (await org.patch(path, { data: { job_title: 'Two' } }, { 'if-match': String(first.headers['etag']) }))
        .status,
    ).toBe(200)
    expectError(await org.delete(path, undefined, { 'if-match': etag }), 'precondition_failed')
  })
})

describe('DELETE /objects/:objectId/records/:recordId', () => {
  test('clears references to the record, with an event for each referring record', async () => {
    const org = await service.org()
    const company = await org.post('/objects/companies/records', {
      data: { name: 'Acme', domain: 'acme.example' },
    })
    const person = await org.post('/objects/people/records', {
      data: { ...ADA, company: company.body['id'] },
    })
    const deleted = await org.delete(`/objects/companies/records/${company.body['id']}`)
    expect(deleted).toMatchObject({ status: 200, body: { id: company.body['id'], deleted: true } })
    const read = await org.get<{ data: unknown; updatedAt: string }>(
      `/objects/people/records/${person.body['id']}`,
    )
    expect(read.body.data).toEqual(ADA)
    expect((await org.events()).slice(2)).toEqual([
      {
        type: 'record.updated',
        subject: person.body['id'],
        data: ADA,
        changes: { company: { from: company.body['id'], to: null } },
      },
      {
        type: 'record.deleted',
        subject: company.body['id'],
        data: { name: 'Acme', domain: 'acme.example' },
        changes: null,
      },
    ])
    expectError(await org.get(`/objects/companies/records/${company.body['id']}`), 'not_found')
    expect(
      (await org.post('/objects/companies/records', { data: { name: 'New', domain: 'acme.example' } }))
        .status,
    ).toBe(201)
  })
})

describe('DELETE /objects/:objectId/records/bulk', () => {
  test('deletes the records that exist and returns their number', async () => {
    const org = await service.org()
    const ids = []
    for (const email of ['a@x.org', 'b@x.org', 'c@x.org'])
      ids.push((await org.post('/objects/people/records', { data: { ...ADA, email } })).body['id'])
    const reply = await org.delete('/objects/people/records/bulk', {
      ids: [...ids.slice(0, 2), ids[0], 'nonsense', crypto.randomUUID()],
    })
    expect(reply).toMatchObject({ status: 200, body: { deleted: 2 } })
    const list = await org.get<{ pagination: { total: number } }>('/objects/people/records')
    expect(list.body.pagination.total).toBe(1)
    expectError(await org.delete('/objects/people/records/bulk', { ids: [] }), 'validation_error')
    expectError(
      await org.delete('/objects/people/records/bulk', { ids: Array(101).fill('x') }),
      'validation_error',
    )
  })
})

describe('Idempotency-Key', () => {
  const key = { 'idempotency-key': 'order-17' }

  test('a repeated request gets the first response and writes nothing', async () => {
    const org = await service.org()
    const first = await org.post('/objects/people/records', { data: ADA }, key)
    const second = await org.post('/objects/people/records', { data: ADA }, key)
    expect(first.status).toBe(201)
    expect(second).toMatchObject({ status: 201, body: first.body })
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.headers['etag']).toBe(first.headers['etag'])
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect(await org.events()).toHaveLength(1)
  })

  test('a refused request does not use up its key: the corrected body may use it', async () => {
    const org = await service.org()
    await org.post('/objects/people/records', { data: ADA })
    expectError(await org.post('/objects/people/records', { data: ADA }, key), 'unique_violation')
    expectError(await org.post('/objects/people/records', { data: {} }, key), 'validation_error')
    const corrected = { data: { name: 'Grace Hopper' } }
    const second = await org.post('/objects/people/records', corrected, key)
    expect(second.status).toBe(201)
    expect(second.headers['idempotent-replayed']).toBeUndefined()
    expect((await org.post('/objects/people/records', corrected, key)).body).toEqual(second.body)
    expectError(await org.post('/objects/people/records', { data: ADA }, key), 'idempotency_conflict')
  })

  test('another body or path with the same key is refused', async () => {
    const org = await service.org()
    await org.post('/objects/people/records', { data: ADA }, key)
    expectError(
      await org.post('/objects/people/records', { data: { name: 'Else' } }, key),
      'idempotency_conflict',
    )
    expectError(
      await org.post('/objects/companies/records', { data: { name: 'Else' } }, key),
      'idempotency_conflict',
    )
  })

  test('many concurrent requests make one record; the others get its response or a conflict', async () => {
    const org = await service.org()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => org.post('/objects/people/records', { data: ADA }, key)),
    )
    const answers = replies.filter(({ status }) => status === 201)
    expect(answers.length).toBeGreaterThan(0)
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1)
    for (const reply of replies.filter(({ status }) => status !== 201))
      expectError(reply, 'idempotency_in_progress')
    expect(await org.events()).toHaveLength(1)
  })

  test('another organization may use the same Idempotency-Key', async () => {
    const [one, two] = [await service.org(), await service.org()]
    await one.post('/objects/people/records', { data: ADA }, key)
    const other = await two.post('/objects/people/records', { data: ADA }, key)
    expect(other.status).toBe(201)
    expect(other.headers['idempotent-replayed']).toBeUndefined()
  })
})

describe('a record’s size', () => {
  const half = 'x'.repeat(140_000)

  test('is at most 256 KiB, also when the record grows by PATCH or bulk', async () => {
    const org = await service.org()
    await org.post('/objects/companies/attributes', { name: 'Notes', type: 'text' })
    expectError(
      await org.post('/objects/companies/records', { data: { name: half + half } }),
      'validation_error',
    )
    const { body } = await org.post('/objects/companies/records', { data: { name: half } })
    const path = `/objects/companies/records/${body['id']}`
    expectError(await org.patch(path, { data: { notes: half } }), 'validation_error')
    const bulk = await org.post<{ failed: { error: string }[] }>('/objects/companies/records/bulk', {
      mode: 'upsert',
      records: [{ id: body['id'], data: { notes: half } }],
    })
    expect(bulk.body.failed).toMatchObject([{ index: 0, error: expect.stringContaining('262144') }])
    expect((await org.get(path)).body).toEqual(body)
    expect((await org.patch(path, { data: { name: 'short', notes: half } })).status).toBe(200)
  })
})
