import { describe, expect, test } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

const of = (object: string, slug: string, value: string) =>
  `/objects/${object}/records/by/${slug}/${encodeURIComponent(value)}`
const ADA = of('people', 'email', 'ada@example.com')

const addPerson = async (org: Org, data: object = {}) =>
  (
    await org.post<CrmRecord>('/objects/people/records', {
      data: { name: 'Ada', email: 'Ada@Example.com', ...data },
    })
  ).body

describe.each(['GET', 'PUT'] as const)('%s …/records/by/:slug/:value', (method) => {
  const ask = (org: Org, path: string) =>
    method === 'GET' ? org.get(path) : org.put(path, { data: { job_title: 'Countess' } })

  test('names the unique attributes if the slug is not one of them', async () => {
    const org = await service.org()
    for (const slug of ['job_title', 'mail', 'id']) {
      const reply = await ask(org, of('people', slug, 'ada@example.com'))
      expectError(reply, 'not_found')
      expect(reply.body['message']).toMatch(/^No such unique attribute: .*email/)
    }
  })

  test('returns 404 for an unknown object', async () => {
    expectError(await ask(await service.org(), of('planets', 'email', 'ada@example.com')), 'not_found')
  })
})

describe('GET …/records/by/:slug/:value', () => {
  test('finds the record by any form of the value that compares as equal', async () => {
    const org = await service.org()
    const { id } = await addPerson(org)
    const reply = await org.get<CrmRecord>(of('people', 'email', 'ADA@example.com'))
    expect(reply.body).toMatchObject({ id, data: { email: 'Ada@Example.com' } })
    expect(reply.headers['etag']).toBe((await org.get(`/objects/people/records/${id}`)).headers['etag'])
    const company = await org.post<CrmRecord>('/objects/companies/records', {
      data: { name: 'Acme', domain: 'https://www.Acme.com/about' },
    })
    for (const value of ['acme.com', 'www.ACME.com', 'https://acme.com/'])
      expect((await org.get<CrmRecord>(of('companies', 'domain', value))).body.id).toBe(company.body.id)
  })

  test('returns 404 for a value that no record has, also if another organization has it', async () => {
    const [org, other] = [await service.org(), await service.org()]
    await addPerson(other)
    const reply = await org.get(ADA)
    expectError(reply, 'not_found')
  })

  test('returns 404 for an invalid value of the attribute', async () => {
    expectError(await (await service.org()).get(of('people', 'email', 'ada(at)example.com')), 'not_found')
  })

  test('finds the winner by a value of a merged record', async () => {
    const org = await service.org()
    const winner = await addPerson(org, { email: null })
    const loser = await addPerson(org)
    await org.post('/objects/people/records/merge', { winnerId: winner.id, loserIds: [loser.id] })
    expect((await org.get<CrmRecord>(ADA)).body.id).toBe(winner.id)
  })
})

describe('PUT …/records/by/:slug/:value', () => {
  test('creates with the value of the path, then updates', async () => {
    const org = await service.org()
    const created = await org.put<CrmRecord>(ADA, { data: { name: 'Ada', job_title: 'Analyst' } })
    expect(created.status).toBe(201)
    expect(created.body.data).toMatchObject({ email: 'ada@example.com', job_title: 'Analyst' })
    const updated = await org.put<CrmRecord>(ADA, { data: { job_title: 'Countess' } })
    expect(updated.status).toBe(200)
    expect(updated.body).toMatchObject({ id: created.body.id, version: 2, data: { job_title: 'Countess' } })
    expect(updated.headers['etag']).not.toBe(created.headers['etag'])
    const same = await org.put<CrmRecord>(ADA, { data: { job_title: 'Countess' } })
    expect(same.body.version).toBe(2)
    expect((await org.events()).map(({ type }) => type)).toEqual(['record.created', 'record.updated'])
  })

  test('rejects an invalid value of the attribute', async () => {
    const org = await service.org()
    const reply = await org.put(of('people', 'email', 'ada(at)example.com'), { data: { name: 'Ada' } })
    expectError(reply, 'invalid_parameter')
    expect(reply.body['details']).toMatchObject({ errors: [{ path: 'value', code: 'invalid_email' }] })
  })

  test('keeps the form of an existing value, unless the body has another form', async () => {
    const org = await service.org()
    await addPerson(org)
    const kept = await org.put<CrmRecord>(of('people', 'email', 'ADA@example.com'), {
      data: { job_title: 'A' },
    })
    expect(kept.body.data['email']).toBe('Ada@Example.com')
    const sent = await org.put<CrmRecord>(ADA, { data: { email: 'ADA@EXAMPLE.COM' } })
    expect(sent.body.data['email']).toBe('ADA@EXAMPLE.COM')
  })

  test.each([
    ['another value', 'grace@example.com', '"grace@example.com"'],
    ['null', null, 'nothing'],
  ])('rejects a body with %s, and names both values', async (_, email, named) => {
    const org = await service.org()
    await addPerson(org)
    const reply = await org.put(ADA, { data: { email } })
    expectError(reply, 'validation_error')
    const message = expect.stringMatching(`"ada@example.com", not ${named}`)
    expect(reply.body['details']).toMatchObject({
      errors: [{ path: 'data.email', code: 'not_matched', message }],
    })
  })

  test('requires all required values for a new record, but not for an update', async () => {
    const org = await service.org()
    const refused = await org.put(ADA, { data: { job_title: 'Countess', colour: 'red' } })
    expectError(refused, 'validation_error')
    expect(refused.body['details']).toMatchObject({
      errors: [{ path: 'data.colour' }, { path: 'data.name', code: 'required' }],
    })
    expectError(await org.put(ADA, { data: { job_title: 'Countess' } }), 'validation_error')
    await addPerson(org)
    expect((await org.put(ADA, { data: { job_title: 'Countess' } })).status).toBe(200)
  })

  test('returns 409 for a unique value that another record has', async () => {
    const org = await service.org()
    await org.post('/objects/companies/attributes', { name: 'Code', type: 'text', isUnique: true })
    const path = '/objects/companies/records'
    const { body: holder } = await org.post<CrmRecord>(path, {
      data: { name: 'A', domain: 'a.com', code: 'a' },
    })
    const reply = await org.put(of('companies', 'domain', 'b.com'), { data: { name: 'B', code: 'a' } })
    expectError(reply, 'unique_violation')
    expect(reply.body['details']).toMatchObject({ attributeSlug: 'code', existingRecordId: holder.id })
  })

  test('refuses an If-Match that is not the version of the record', async () => {
    const org = await service.org()
    const put = (ifMatch: string) =>
      org.put(ADA, { data: { name: 'Ada', job_title: 'Countess' } }, { 'if-match': ifMatch })
    expectError(await put('*'), 'precondition_failed')
    const { id } = await addPerson(org)
    const etag = String((await org.get(`/objects/people/records/${id}`)).headers['etag'])
    expect((await put(etag)).status).toBe(200)
    expectError(await put(etag), 'precondition_failed')
  })

  test('repeats the first response for the same Idempotency-Key', async () => {
    const org = await service.org()
    const headers = { 'idempotency-key': 'once' }
    const body = { data: { name: 'Ada' } }
    const first = await org.put<CrmRecord>(ADA, body, headers)
    const second = await org.put<CrmRecord>(ADA, body, headers)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(second.headers['idempotent-replayed']).toBe('true')
  })

  test('creates one record for concurrent requests with a new value', async () => {
    const org = await service.org()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        org.put<CrmRecord>(ADA, { data: { name: 'Ada', job_title: `${index}` } }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array(19).fill(200), 201])
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
  })

  test('creates a separate record in each organization', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const { id } = await addPerson(other)
    expect((await org.put<CrmRecord>(ADA, { data: { name: 'Ada' } })).status).toBe(201)
    expect((await other.get<CrmRecord>(`/objects/people/records/${id}`)).body.version).toBe(1)
  })

  test('returns 409 for an inactive object', async () => {
    const org = await service.org()
    await org.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
    await org.post('/objects/projects/attributes', { name: 'Code', type: 'text', isUnique: true })
    await org.patch('/objects/projects', { isActive: false })
    expectError(await org.put(of('projects', 'code', 'a'), { data: {} }), 'object_inactive')
  })

  test('returns to a key that may not read only the values that it sent', async () => {
    const org = await service.org()
    await addPerson(org, { job_title: 'Secret' })
    const headers = { authorization: `Bearer ${await org.keyWith(['records:write'])}` }
    const reply = await org.put<CrmRecord>(ADA, { data: { name: 'Ada L' } }, headers)
    expect(reply.body.data).toEqual({ email: 'ada@example.com', name: 'Ada L' })
    const unknown = await org.put(of('people', 'mail', 'a@b.c'), { data: {} }, headers)
    expect(unknown.body['message']).not.toContain('email')
  })
})
