import { describe, expect, test } from 'vitest'
import { bodyOf, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

interface Shown {
  id: string
  data: Record<string, unknown>
  expanded?: { records: Record<string, Shown>; members: Record<string, object>; isComplete: boolean }
}
type List = { records: Shown[]; expanded?: Shown['expanded'] }

/** Ids of records by name. */
const ids: Record<string, string> = {}

async function make(object: string, name: string, data: object = {}): Promise<string> {
  const body = bodyOf(await org.post<Shown>(`/objects/${object}/records`, { data: { name, ...data } }), 201)
  ids[name] = body.id
  return body.id
}

/** Adds an attribute with a list of references to records of the same object. */
async function addList(to: Org, object: string, name: string): Promise<void> {
  const { body } = await to.get<{ id: string }>(`/objects/${object}`)
  const config = { allowed_object_id: body.id }
  const made = await to.post(`/objects/${object}/attributes`, {
    name,
    type: 'reference',
    isList: true,
    config,
  })
  expect([made.status, made.body]).toMatchObject([201, {}])
}

const org = await service.org()
const company = await make('companies', 'Acme', { domain: 'acme.com', owner: org.userId })
await make('people', 'Ada', { company, job_title: 'Countess', owner: org.userId })
await make('people', 'Grace', { company })
await make('people', 'Charles')
await addList(org, 'people', 'Friends')

const owner = () => ({ id: org.userId, name: 'Olivia Owner', email: expect.any(String) })

const WAYS: Record<string, (expand: string, fields?: string) => Promise<List>> = {
  'GET …/records/:recordId': async (expand, fields) => {
    const query = new URLSearchParams({ expand, ...(fields && { fields }) })
    const { body } = await org.get<Shown>(`/objects/people/records/${ids['Ada']}?${query}`)
    return { records: [body], expanded: body.expanded }
  },
  'GET …/records': async (expand, fields) => {
    const query = new URLSearchParams({ expand, ...(fields && { fields }) })
    return (await org.get<List>(`/objects/people/records?${query}`)).body
  },
  'POST …/search': async (expand, fields) => {
    const body = { expand: expand.split(','), ...(fields && { fields: fields.split(',') }) }
    return (await org.post<List>('/objects/people/records/search', body)).body
  },
  'POST …/search with isQuick': async (expand, fields) => {
    const body = { expand: expand.split(','), ...(fields && { fields: fields.split(',') }), isQuick: true }
    return (await org.post<List>('/objects/people/records/search', body)).body
  },
}

describe.each(Object.entries(WAYS))('%s', (_, read) => {
  test('returns the chosen fields of the referenced records', async () => {
    const { records, expanded } = await read('company,company.owner', 'name,company.domain')
    expect(expanded?.records[String(ids['Acme'])]?.data).toEqual({ domain: 'acme.com', owner: org.userId })
    expect(expanded?.members).toEqual({ [org.userId]: owner() })
    expect(Object.keys(records.find(({ id }) => id === ids['Ada'])?.data ?? {})).toEqual(['name', 'company'])
    const whole = await read('company', 'company.domain')
    expect(whole.expanded?.records[String(ids['Acme'])]?.data).toEqual({ domain: 'acme.com' })
    expect(whole.records.find(({ id }) => id === ids['Ada'])?.data).toHaveProperty('job_title')
  })

  test('returns the referenced records and members, each once', async () => {
    const { expanded } = await read('company,owner')
    expect(expanded).toEqual({
      records: { [String(ids['Acme'])]: expect.objectContaining({ id: ids['Acme'], version: 1 }) },
      members: { [org.userId]: owner() },
      isComplete: true,
    })
  })

  test('follows a reference of a referenced record', async () => {
    const { expanded } = await read('company.owner')
    expect(Object.keys(expanded?.records ?? {})).toEqual([ids['Acme']])
    expect(expanded?.members).toEqual({ [org.userId]: owner() })
  })

  test('returns the requested fields and the expanded ones', async () => {
    const { records } = await read('company', 'name')
    const slugs = new Set(records.flatMap(({ data }) => Object.keys(data)))
    expect([...slugs].sort()).toEqual(['company', 'name'])
  })
})

test('an expanded record equals the record from a single read', async () => {
  const { body } = await org.get<Shown>(`/objects/people/records/${ids['Ada']}?expand=company`)
  const company = await org.get(`/objects/companies/records/${ids['Acme']}`)
  expect(body.expanded?.records[String(ids['Acme'])]).toEqual(company.body)
})

test('without expand nothing is expanded', async () => {
  expect((await org.get('/objects/people/records')).body).not.toHaveProperty('expanded')
  expect((await org.get(`/objects/people/records/${ids['Ada']}`)).body).not.toHaveProperty('expanded')
})

test('a list of references is expanded, with the references of its records', async () => {
  const friends = [ids['Grace'], ids['Charles']]
  await org.patch(`/objects/people/records/${ids['Ada']}`, { data: { friends } })
  const { body } = await org.get<Shown>(
    `/objects/people/records/${ids['Ada']}?expand=friends,friends.company`,
  )
  expect(Object.keys(body.expanded?.records ?? {}).sort()).toEqual([...friends, ids['Acme']].sort())
})

test('a record that two paths reach has the expansions of both', async () => {
  const friends = [ids['Grace']]
  await org.patch(`/objects/people/records/${ids['Ada']}`, { data: { friends } })
  const { body } = await org.get<List>('/objects/people/records?expand=company,friends.company,company.owner')
  expect(body.expanded?.members).toEqual({ [org.userId]: owner() })
})

test('at most 1,000 records are expanded, and the response says that others are left out', async () => {
  const many = await service.org()
  const things = await many.post<{ id: string }>('/objects', {
    pluralName: 'Things',
    singularName: 'Thing',
    slug: 'things',
  })
  await many.post('/objects/things/attributes', { name: 'Name', type: 'text' })
  await addList(many, 'things', 'Parts')
  expect(things.status).toBe(201)
  const parts: string[] = []
  for (let batch = 0; batch < 11; batch++) {
    const records = Array.from({ length: 100 }, (_, n) => ({ data: { name: `Part ${batch} ${n}` } }))
    const { body } = await many.post<{ results: { id: string }[] }>('/objects/things/records/bulk', {
      records,
    })
    parts.push(...body.results.map(({ id }) => id))
  }
  const holders = Array.from({ length: 11 }, (_, n) => ({
    data: { parts: parts.slice(n * 100, n * 100 + 100) },
  }))
  await many.post('/objects/things/records/bulk', { records: holders })
  const { body } = await many.get<List>('/objects/things/records?limit=11&expand=parts')
  expect(Object.keys(body.expanded?.records ?? {})).toHaveLength(1000)
  expect(body.expanded?.isComplete).toBe(false)
})

test('at most 4 MiB of records are expanded, and the response says that others are left out', async () => {
  const many = await service.org()
  const bulk = async (object: string, records: readonly object[]) =>
    (await many.post<{ results: { id: string }[] }>(`/objects/${object}/records/bulk`, { records })).body
      .results
  const text = 'x'.repeat(200_000)
  const companies = await bulk(
    'companies',
    Array.from({ length: 22 }, (_, n) => ({ data: { name: `${n} ${text}` } })),
  )
  await bulk(
    'people',
    companies.map(({ id }) => ({ data: { name: 'Ada', company: id } })),
  )
  const { body } = await many.get<List>('/objects/people/records?expand=company')
  expect(Object.keys(body.expanded?.records ?? {})).toHaveLength(21)
  expect(body.expanded?.isComplete).toBe(false)
})

test('a key that may not read members receives only their ids', async () => {
  const key = await org.keyWith(['records:read'])
  const response = await service.inject({
    url: `/api/v1/objects/people/records/${ids['Ada']}?expand=owner`,
    headers: { authorization: `Bearer ${key}` },
  })
  expect(response.json().expanded.members).toEqual({ [org.userId]: { id: org.userId } })
})

test('a request with expand gets a 304 only while the expanded records have not changed either', async () => {
  const path = `/api/v1/objects/people/records/${ids['Ada']}`
  const read = (url: string, more: Record<string, string> = {}) =>
    service.inject({ url, headers: { authorization: `Bearer ${org.key}`, ...more } })
  const url = `${path}?expand=company`
  const [whole, expanded] = [(await read(path)).headers['etag'], (await read(url)).headers['etag']]
  expect((await read(url, { 'if-none-match': String(whole) })).statusCode).toBe(200)
  const known = { 'if-none-match': String(expanded) }
  expect((await read(url, known)).statusCode).toBe(304)
  await org.patch(`/objects/companies/records/${ids['Acme']}`, { data: { industry: 'Energy' } })
  expect((await read(url, known)).statusCode).toBe(200)
})

test.each([
  ['expand=compny', 'invalid_parameter', 'expand', /did you mean "company"/],
  ['expand=name', 'invalid_parameter', 'expand', /of type reference or member/],
  ['expand=owner.name', 'invalid_parameter', 'expand', /members have no attributes/],
  ['expand=company.owner.name', 'invalid_parameter', 'expand', /at most 2 attributes/],
  ['expand=company.nme', 'invalid_parameter', 'expand', /companies has no attribute "nme"/],
  ['expand=a,b,c,d,e,f,g,h,i,j,k', 'invalid_parameter', 'expand', /at most 10 paths, not 11/],
  ['fields=nam', 'invalid_parameter', 'fields', /did you mean "name"/],
  ['fields=', 'invalid_parameter', 'fields', /at least one character/],
  ['fields=company.domain', 'invalid_parameter', 'fields', /"company.domain" is neither/],
  ['expand=company&fields=company.nme', 'invalid_parameter', 'fields', /companies has no attribute "nme"/],
  ['expand=owner&fields=owner.name', 'invalid_parameter', 'fields', /members have no attributes/],
])('%s is rejected', async (query, code, path, message) => {
  for (const url of ['/objects/people/records', `/objects/people/records/${ids['Ada']}`]) {
    const response = await org.get<{ details: { errors: { path: string; message: string }[] } }>(
      `${url}?${query}`,
    )
    expectError(response, code as 'invalid_parameter')
    expect(response.body.details.errors[0]).toMatchObject({ path, message: expect.stringMatching(message) })
  }
})

test('a record of another organization is never expanded', async () => {
  const other = await service.org()
  const { body } = await other.get<List>('/objects/people/records?expand=company')
  expect(body.expanded).toEqual({ records: {}, members: {}, isComplete: true })
})
