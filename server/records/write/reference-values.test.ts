// References by value: a company by its domain, a person by its email.
import fc from 'fast-check'
import type { Sql } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { BulkResult, CrmRecord } from '../../../contract/records.ts'
import type { Db } from '../../db/pool.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Reply } from '../../test/dashboard-client.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { bulkWrite } from '../bulk/service.ts'

const service = await buildTestService()

const PEOPLE = '/objects/people/records'
const COMPANIES = '/objects/companies/records'
const BULK = `${PEOPLE}/bulk`

const addCompany = async (org: Org, data: object) =>
  (await org.post<CrmRecord>(COMPANIES, { data: { name: 'Acme', ...data } })).body.id

const companies = async (org: Org) =>
  (await org.get<{ records: CrmRecord[] }>(`${COMPANIES}?limit=100&order=asc`)).body.records

const people = async (org: Org) =>
  (await org.get<{ records: CrmRecord[] }>(`${PEOPLE}?limit=100&order=asc`)).body.records

const person = (company: unknown, more: object = {}) => ({ name: 'Ada', company, ...more })

const addReference = async (org: Org, object: string, more: object) => {
  const { body } = await org.get('/objects/companies')
  const attribute = { type: 'reference', config: { allowed_object_id: body['id'] }, ...more }
  expect((await org.post(`/objects/${object}/attributes`, attribute)).status).toBe(201)
}

interface Row {
  company: number | undefined
  partners: number[]
  key: number
}

const callerOf = ({ org, id, userId, keyId }: Org) => ({
  ...{ org, orgId: id, userId, keyId },
  ...{ country: 'US', currency: 'USD' },
})

/** The first fault of a refused write. */
const faultOf = ({ body }: { body: object }) =>
  ((body as { details?: { errors?: object[] } }).details?.errors ?? [])[0]

/** The ways to write one person; each returns the response. */
const WRITES: Record<string, (org: Org, data: object, more?: object) => Promise<Reply<CrmRecord>>> = {
  'POST …/records': (org, data, more) => org.post<CrmRecord>(PEOPLE, { data, ...more }),
  'PATCH …/records/:recordId': async (org, data, more) => {
    const { body } = await org.post(PEOPLE, { data: { name: 'Before' } })
    return org.patch<CrmRecord>(`${PEOPLE}/${body['id']}`, { data, ...more })
  },
  'PUT …/records/by/:slug/:value': (org, data, more) =>
    org.put<CrmRecord>(`${PEOPLE}/by/email/ada@example.com`, { data, ...more }),
}

describe.each(Object.entries(WRITES))('%s', (_, write) => {
  test('a reference may be a unique value of the record, in any equivalent form', async () => {
    const org = await service.org()
    const id = await addCompany(org, { domain: 'acme.com' })
    for (const domain of ['acme.com', 'https://www.ACME.com/']) {
      const { body } = await write(org, person({ domain }))
      expect(body.data).toMatchObject({ company: id })
    }
  })

  test('an unknown value is refused with advice, even if a record of another organization has it', async () => {
    const [org, other] = [await service.org(), await service.org()]
    await addCompany(other, { domain: 'acme.com' })
    const reply = await write(org, person({ domain: 'acme.com' }))
    expectError(reply, 'validation_error')
    expect(faultOf(reply)).toEqual({
      path: 'data.company.domain',
      code: 'invalid_reference',
      message: 'no record has "acme.com" as domain: send createMissing: true to create it',
    })
  })

  test('createMissing creates the record before the one that refers to it', async () => {
    const org = await service.org()
    const { body } = await write(org, person({ domain: 'Acme.com' }), { createMissing: true })
    const [company] = await companies(org)
    expect(company?.data).toEqual({ name: 'acme.com', domain: 'Acme.com' })
    expect(body.data).toMatchObject({ company: company?.id })
    const subjects = (await org.events()).map(({ subject }) => subject)
    expect(subjects.slice(-2)).toEqual([company?.id, body.id])
    const again = await write(org, person({ domain: 'acme.com' }), { createMissing: true })
    expect(again.body.data).toMatchObject({ company: company?.id })
    expect(await companies(org)).toHaveLength(1)
  })

  test('a refused write creates no records', async () => {
    const org = await service.org()
    const reply = await write(org, person({ domain: 'acme.com' }, { colour: 'red' }), { createMissing: true })
    expectError(reply, 'validation_error')
    expect(await companies(org)).toEqual([])
    expect((await org.events()).filter(({ data }) => data['domain'] === 'acme.com')).toEqual([])
  })

  test.each([
    ['an attribute that is not unique', { name: 'Acme' }, 'data.company', 'not_unique', /use domain$/],
    ['two attributes', { domain: 'a.com', name: 'A' }, 'data.company', 'not_unique', /use domain$/],
    ['no attribute', {}, 'data.company', 'not_unique', /use domain$/],
    ['a slug with a mistake', { domian: 'a.com' }, 'data.company', 'not_unique', /did you mean "domain"\?$/],
    ['a wrong value', { domain: 'acme' }, 'data.company.domain', 'invalid_domain', /acme\.com/],
    ['null', { domain: null }, 'data.company.domain', 'required', /is required/],
  ])('%s is refused', async (_name, company, path, code, message) => {
    const org = await service.org()
    const reply = await write(org, person(company))
    expectError(reply, 'validation_error')
    expect(faultOf(reply)).toMatchObject({ path, code, message: expect.stringMatching(message) })
  })

  test('a list may refer by value too, and contains each record once', async () => {
    const org = await service.org()
    await addReference(org, 'people', { name: 'Partners', isList: true })
    const [a, b] = [await addCompany(org, { domain: 'a.com' }), await addCompany(org, { domain: 'b.com' })]
    const partners = [{ domain: 'a.com' }, b, { domain: 'www.b.com' }]
    const { body } = await write(org, { name: 'Ada', partners })
    expect(body.data).toMatchObject({ partners: [a, b] })
    const refused = await write(org, { name: 'Ada', partners: [a, { domain: 'c.com' }] })
    expect(faultOf(refused)).toMatchObject({ path: 'data.partners[1].domain', code: 'invalid_reference' })
  })
})

test('createMissing creates no record that needs more than its value and a name', async () => {
  const org = await service.org()
  await org.post('/objects/companies/attributes', { name: 'Tier', type: 'text', isRequired: true })
  const reply = await org.post(PEOPLE, { data: person({ domain: 'acme.com' }), createMissing: true })
  expect(faultOf(reply)).toEqual({
    path: 'data.company.domain',
    code: 'invalid_reference',
    message: expect.stringMatching(
      /^no record has "acme.com" as domain, and it cannot be created with only that value \(data\.tier: is required.*\): create it first$/,
    ),
  })
})

test('a value of more than 200 characters is found again, and its record is named as sent', async () => {
  const org = await service.org()
  const domain = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(30)}.com`
  const write = () => org.post<CrmRecord>(PEOPLE, { data: person({ domain }), createMissing: true })
  const [first, second] = [await write(), await write()]
  expect(first.body.data['company']).toBe(second.body.data['company'])
  expect((await companies(org)).map(({ data }) => data)).toEqual([{ name: domain, domain }])
})

test('a unique attribute that another process has just added can be used immediately', async () => {
  const org = await service.org()
  await org.post(PEOPLE, { data: person({ code: 'a' }) })
  const node = await service.node()
  const headers = { authorization: `Bearer ${org.key}` }
  const url = '/api/v1/objects/companies/attributes'
  await node.inject({ method: 'POST', url, headers, payload: { name: 'Code', type: 'text', isUnique: true } })
  const id = await addCompany(org, { code: 'a' })
  expect((await org.post<CrmRecord>(PEOPLE, { data: person({ code: 'a' }) })).body.data['company']).toBe(id)
})

test('one request creates at most 1,000 records of an object', async () => {
  const org = await service.org()
  await addReference(org, 'people', { name: 'Partners', isList: true })
  const partners = Array.from({ length: 1000 }, (_, n) => ({ domain: `c${n}.com` }))
  const data = { name: 'Ada', partners, company: { domain: 'acme.com' } }
  const refused = await org.post(PEOPLE, { data, createMissing: true })
  expect(faultOf(refused)).toMatchObject({ message: expect.stringContaining('at most 1000 records') })
  const { body } = await org.post<CrmRecord>(PEOPLE, { data: { name: 'Ada', partners }, createMissing: true })
  expect(body.data['partners']).toHaveLength(1000)
})

test('one request looks up at most 10,000 different records', async () => {
  const org = await service.org()
  await addReference(org, 'people', { name: 'Partners', isList: true })
  const partnersOf = (row: number) => Array.from({ length: 1000 }, (_, n) => ({ domain: `c${row}-${n}.com` }))
  const records = Array.from({ length: 11 }, (_, row) => ({
    data: { name: 'Ada', partners: partnersOf(row) },
  }))
  const { body } = await org.post<BulkResult>(BULK, { records })
  expect(body.failed.map(({ error }) => error.includes('at most 10000 different records'))).toEqual([
    ...Array(10).fill(false),
    true,
  ])
})

test('createMissing creates no records of the object that the request writes', async () => {
  const org = await service.org()
  await addReference(org, 'companies', { name: 'Parent' })
  const parent = await addCompany(org, { domain: 'parent.com' })
  const data = { name: 'Child', parent: { domain: 'parent.com' } }
  expect((await org.post<CrmRecord>(COMPANIES, { data })).body.data).toMatchObject({ parent })
  const missing = { data: { name: 'Child', parent: { domain: 'other.com' } }, createMissing: true }
  expect(faultOf(await org.post(COMPANIES, missing))).toMatchObject({
    path: 'data.parent.domain',
    message: expect.stringContaining('create it first'),
  })
})

test('errors name attributes only to keys that may read them', async () => {
  const org = await service.org()
  const headers = { authorization: `Bearer ${await org.keyWith(['records:write'])}` }
  const reply = await org.post(PEOPLE, { data: person({ colour: 'red' }) }, headers)
  expect(JSON.stringify(reply.body)).not.toContain('domain')
  const id = await addCompany(org, { domain: 'acme.com' })
  const written = await org.post<CrmRecord>(PEOPLE, { data: person({ domain: 'acme.com' }) }, headers)
  expect(written.body.data).toEqual(person({ domain: 'acme.com' }))
  expect((await people(org))[0]?.data).toMatchObject({ company: id })
})

test('concurrent requests that create the same record create it once', async () => {
  const org = await service.org()
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      org.post<CrmRecord>(PEOPLE, { data: person({ domain: 'acme.com' }), createMissing: true }),
    ),
  )
  const [company] = await companies(org)
  expect(replies.map(({ status, body }) => [status, body.data['company']])).toEqual(
    Array(20).fill([201, company?.id]),
  )
  expect(await companies(org)).toHaveLength(1)
})

test('a repeated Idempotency-Key returns the first response and creates nothing', async () => {
  const org = await service.org()
  const body = { data: person({ domain: 'acme.com' }), createMissing: true }
  const first = await org.post<CrmRecord>(PEOPLE, body, { 'idempotency-key': 'once' })
  const second = await org.post<CrmRecord>(PEOPLE, body, { 'idempotency-key': 'once' })
  expect(second.body).toEqual(first.body)
  expect([await companies(org), await people(org)].map(({ length }) => length)).toEqual([1, 1])
})

describe('POST …/records/bulk', () => {
  test('one record is created for each value, and only for rows that are written', async () => {
    const org = await service.org()
    await org.post(PEOPLE, { data: { name: 'Taken', email: 'taken@x.org' } })
    const records = [
      { data: person({ domain: 'a.com' }) },
      { data: person({ domain: 'WWW.A.com' }) },
      { data: person({ domain: 'b.com' }, { email: 'taken@x.org' }) },
      { data: person({ domain: 'c.com' }, { colour: 'red' }) },
      { data: person({ domain: 'd.com' }, { email: 'd@x.org' }) },
      { data: person({ domain: 'e.com' }, { email: 'd@x.org' }) },
    ]
    const { body } = await org.post<BulkResult>(BULK, { records, createMissing: true })
    expect(body.created).toBe(3)
    expect(body.failed.map(({ index, attribute }) => [index, attribute])).toEqual([
      [2, 'email'],
      [3, 'colour'],
      [5, 'email'],
    ])
    const made = await companies(org)
    expect(made.map(({ data }) => data['domain'])).toEqual(['a.com', 'd.com'])
    const own = (await people(org)).map(({ data }) => data['company'])
    expect(own).toEqual([undefined, made[0]?.id, made[0]?.id, made[1]?.id])
    // A value that only failed rows refer to stays free.
    expect((await org.post(COMPANIES, { data: { name: 'B', domain: 'b.com' } })).status).toBe(201)
  })

  test('a row with an unknown value fails, and the other rows are written', async () => {
    const org = await service.org()
    const id = await addCompany(org, { domain: 'acme.com' })
    const records = ['acme.com', 'other.com'].map((domain) => ({ data: person({ domain }) }))
    const { body } = await org.post<BulkResult>(BULK, { records })
    expect(body).toMatchObject({
      created: 1,
      failed: [{ index: 1, attribute: 'company', error: expect.stringContaining('"other.com"') }],
    })
    expect((await people(org)).map(({ data }) => data['company'])).toEqual([id])
  })

  test('with allOrNone a failure rolls back the created records', async () => {
    const org = await service.org()
    const records = [{ data: person({ domain: 'a.com' }) }, { data: { colour: 'red' } }]
    const reply = await org.post(BULK, { records, createMissing: true, allOrNone: true })
    expectError(reply, 'validation_error')
    expect(await companies(org)).toEqual([])
    expect(await org.events()).toEqual([])
  })

  test('an upsert updates and creates, and its change set includes the created records', async () => {
    const org = await service.org()
    await org.post(PEOPLE, { data: { name: 'Ada', email: 'ada@x.org' } })
    const changeSetId = crypto.randomUUID()
    const records = [
      { data: person({ domain: 'a.com' }, { email: 'ada@x.org' }) },
      { data: person({ domain: 'b.com' }, { email: 'new@x.org' }) },
      { data: person({ domain: 'a.com' }, { email: 'ADA@x.org', job_title: 'Countess' }) },
    ]
    const body = { mode: 'upsert', matchOn: 'email', records, createMissing: true, changeSetId }
    const reply = await org.post<BulkResult>(BULK, body)
    expect(reply.body).toMatchObject({ created: 1, updated: 2, failed: [] })
    expect((await companies(org)).map(({ data }) => data['domain'])).toEqual(['a.com', 'b.com'])
    for (const object of ['people', 'companies'])
      expect((await org.post(`/objects/${object}/change-sets/${changeSetId}/undo`)).status).toBe(200)
    expect(await companies(org)).toEqual([])
  })

  test('100 rows with references to 60 companies take one lookup', async () => {
    const org = await service.org()
    const made = Array.from({ length: 60 }, (_, n) => ({ data: { name: `C${n}`, domain: `c${n}.com` } }))
    await org.post(`${COMPANIES}/bulk`, { records: made })
    const write = async (records: { data: object }[]) => {
      const statements: string[] = []
      const ctx = { ...service.ctx, db: listening(service.ctx.db, statements) }
      expect(await bulkWrite(ctx, callerOf(org), 'people', { records })).toMatchObject({ created: 100 })
      return statements
    }
    const rows = (company: (n: number) => unknown) =>
      Array.from({ length: 100 }, (_, n) => ({ data: person(company(n)) }))
    const ids = (await companies(org)).map(({ id }) => id)
    // Fills the model cache for both objects.
    await write(rows(() => ({ domain: 'c0.com' })))
    const byIds = await write(rows((n) => ids[n % 60]))
    const byValues = await write(rows((n) => ({ domain: `c${n % 60}.com` })))
    expect([byIds.length, byValues.length]).toEqual([1, 2])
  })
})

/** A Db that collects the statements, including those within transactions. */
function listening(db: Db, statements: string[]): Db {
  const heard =
    <Result>(send: (query: Sql) => Promise<Result>) =>
    (query: Sql) => {
      statements.push(query.text)
      return send(query)
    }
  return {
    ...db,
    many: heard(db.many),
    maybeOne: heard(db.maybeOne),
    one: heard(db.one),
    value: heard(db.value),
    maybeValue: heard(db.maybeValue),
    run: heard(db.run),
    transaction: (work) => db.transaction((tx) => work(listening(tx, statements))),
    attempt: (work) => db.attempt((one) => work(listening(one, statements))),
  } as Db
}

test('references by id and by value give the same records', async () => {
  const ROWS = 12
  const company = fc.option(fc.nat({ max: 7 }), { nil: undefined })
  const row = fc.record({
    company,
    partners: fc.array(fc.nat({ max: 7 }), { maxLength: 4 }),
    key: fc.nat({ max: 5 }),
  })
  const written = async (rows: readonly Row[], isByValue: boolean) => {
    const org = await service.org()
    await addReference(org, 'people', { name: 'Partners', isList: true })
    const made = Array.from({ length: 6 }, (_, n) => ({ data: { name: `c${n}.com`, domain: `c${n}.com` } }))
    // With references by value, the rows create the last two companies.
    const all = [6, 7].map((n) => ({ data: { name: `c${n}.com`, domain: `c${n}.com` } }))
    const { body } = await org.post<BulkResult>(`${COMPANIES}/bulk`, {
      records: isByValue ? made : [...made, ...all],
    })
    const named = (n: number) => (isByValue ? { domain: `WWW.c${n}.com` } : body.results[n]?.id)
    const records = rows.map(({ company: one, partners, key }) => ({
      data: {
        ...{ name: `P${key}`, email: `p${key}@x.org`, partners: partners.map(named) },
        ...(one !== undefined && { company: named(one) }),
      },
    }))
    const request = { mode: 'upsert', matchOn: 'email', records, createMissing: true }
    const result = await org.post<BulkResult>(BULK, request)
    const names = new Map((await companies(org)).map(({ id, data }) => [id, data['name']]))
    const nameOf = (value: unknown) => names.get(String(value))
    return {
      statuses: result.body.results.map(({ status }) => status),
      people: (await people(org)).map(({ data: { company: one, partners, ...data } }) => ({
        ...data,
        company: one && nameOf(one),
        partners: (partners as string[] | undefined)?.map(nameOf),
      })),
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: ROWS }), async (rows) => {
      expect(await written(rows, true)).toEqual(await written(rows, false))
    }),
    { numRuns: 15, seed: 41 },
  )
})
