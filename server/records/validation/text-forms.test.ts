// Texts that look the same are equal: composed and decomposed letters, and invisible characters around a value.
import { describe, expect, test } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()
const COMPOSED = 'Café'
const DECOMPOSED = 'Cafe\u0301'

async function setUp(): Promise<Org> {
  const org = await service.org()
  await org.post('/objects', { pluralName: 'Places', singularName: 'Place' })
  for (const attribute of [
    { name: 'Title', type: 'text', isUnique: true },
    { name: 'Tags', type: 'list' },
    {
      name: 'Kind',
      type: 'select',
      config: { options: [DECOMPOSED, ' Bar\u200b'], colors: { [DECOMPOSED]: 'green' } },
    },
    { name: 'Mail', type: 'email', isUnique: true },
  ])
    expect((await org.post('/objects/places/attributes', attribute)).status).toBe(201)
  return org
}

const create = (org: Org, data: object) => org.post<CrmRecord>('/objects/places/records', { data })

async function found(org: Org, filter: object): Promise<string[]> {
  const { body } = await org.post<{ records: CrmRecord[] }>('/objects/places/records/search', filter)
  return body.records.map(({ id }) => id)
}

describe('normal form', () => {
  test('values are stored in NFC, and found and compared in either form', async () => {
    const org = await setUp()
    const sent = { title: DECOMPOSED, tags: [DECOMPOSED, COMPOSED], kind: DECOMPOSED }
    const { body } = await create(org, sent)
    expect(body.data).toEqual({ title: COMPOSED, tags: [COMPOSED], kind: COMPOSED })
    for (const attributeSlug of ['title', 'tags', 'kind'])
      for (const value of [COMPOSED, DECOMPOSED])
        for (const operator of ['equals', 'contains'])
          expect(await found(org, { filters: [{ attributeSlug, operator, value }] })).toEqual([body.id])
    expect(await found(org, { q: DECOMPOSED })).toEqual([body.id])
    const query = `/objects/places/records?filter[title][equals]=${encodeURIComponent(DECOMPOSED)}`
    expect((await org.get<{ records: CrmRecord[] }>(query)).body.records).toHaveLength(1)
  })

  test('a unique value is rejected if another record has it in the other form', async () => {
    const org = await setUp()
    const { body } = await create(org, { title: COMPOSED })
    const second = await create(org, { title: DECOMPOSED })
    expectError(second, 'unique_violation')
    expect(second.body).toMatchObject({ details: { attributeSlug: 'title', existingRecordId: body.id } })
  })

  test('upserts match unique values in either form', async () => {
    const org = await setUp()
    await create(org, { title: COMPOSED })
    const { body } = await org.post('/objects/places/records/bulk', {
      mode: 'upsert',
      matchOn: 'title',
      records: [{ data: { title: DECOMPOSED, tags: ['x'] } }],
    })
    expect(body).toMatchObject({ created: 0, updated: 1 })
  })

  test('options and titles are stored in NFC, and one option in two forms is rejected', async () => {
    const org = await setUp()
    const { body } = await org.get<{ attributes: { slug: string; config: object }[] }>(
      '/objects/places/attributes',
    )
    expect(body.attributes.find(({ slug }) => slug === 'kind')?.config).toEqual({
      options: [COMPOSED, 'Bar'],
      colors: { [COMPOSED]: 'green' },
    })
    const twice = { name: 'Twice', type: 'select', config: { options: [COMPOSED, DECOMPOSED] } }
    expectError(await org.post('/objects/places/attributes', twice), 'validation_error')
    const blank = { name: 'Blank', type: 'select', config: { options: ['a', '\u200b'] } }
    expectError(await org.post('/objects/places/attributes', blank), 'validation_error')
    const activity = await org.post('/activities', { title: DECOMPOSED, summary: DECOMPOSED })
    expect(activity.body).toMatchObject({ title: COMPOSED, summary: COMPOSED })
  })

  test('options can be changed by their name in either form', async () => {
    const org = await setUp()
    const { body } = await org.get<{ attributes: { id: string; slug: string }[] }>(
      '/objects/places/attributes',
    )
    const id = body.attributes.find(({ slug }) => slug === 'kind')?.id
    const changed = await org.patch<{ options: { value: string }[] }>(
      `/objects/places/select-attributes/${id}`,
      { options: [{ value: 'Coffee', from: [DECOMPOSED] }, { value: ' Bar ' }] },
    )
    expect(changed.status).toBe(200)
    const options = await org.get<{ options: { value: string }[] }>(`/objects/places/select-attributes/${id}`)
    expect(options.body.options.map(({ value }) => value)).toEqual(['Coffee', 'Bar'])
  })
})

describe('invisible characters', () => {
  test.each([' ', '\u00a0', '\u200b', '\ufeff', '\u2060', '\u202d', '\u3000'])(
    'around a single-line value are removed: %j',
    async (space) => {
      const org = await setUp()
      const { body } = await create(org, { mail: `${space}ada@example.com${space}`, tags: [`${space}vip`] })
      expect(body.data).toEqual({ mail: 'ada@example.com', tags: ['vip'] })
      const value = `${space}ADA@example.com`
      expect(await found(org, { filters: [{ attributeSlug: 'mail', operator: 'equals', value }] })).toEqual([
        body.id,
      ])
      expectError(await create(org, { mail: `ada@example.com${space}` }), 'unique_violation')
    },
  )

  test('inside an email address are named by their code point', async () => {
    const refused = await create(await setUp(), { mail: 'ada\u200b@example.com' })
    expectError(refused, 'validation_error')
    expect(refused.body).toMatchObject({
      details: {
        errors: [
          {
            path: 'data.mail',
            code: 'invalid_email',
            message: expect.stringContaining('The text contains U+200B: leave this character out'),
          },
        ],
      },
    })
  })
})
