import { describe, expect, test } from 'vitest'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { bodyOf, createRecord, expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'

const service = await sharedTestService()

interface Hits {
  activities: { id: string; type: string; title: string; activityDate: string }[]
  records: {
    objectId: string
    recordId: string
    name: string
    matched?: { slug: string; value: string }
    hint?: string
  }[]
  isComplete: boolean
}

const search = async (who: SignedInMember, q: string, rest = '') => {
  const body = bodyOf(await who.get<Hits>(`/search?q=${encodeURIComponent(q)}${rest}`))
  expect(body).toMatchObject({ isComplete: true, incomplete: [] })
  return body.records.map(({ hint: _, ...hit }) => hit)
}
const names = async (who: SignedInMember, q: string) => (await search(who, q)).map(({ name }) => name)

async function seeded() {
  const org = await service.org()
  const mia = await org.member('member')
  const ada = await createRecord(mia, 'people', {
    name: 'Ada Lovelace',
    email: 'countess@analytical.example',
    phone: '+1 555 867 5309',
  })
  const adamant = await createRecord(mia, 'companies', { name: 'adamant', domain: 'adamant.example' })
  await createRecord(mia, 'companies', { name: 'Nevada 100%', domain: 'nv.example' })
  await createRecord(mia, 'deals', { name: 'Beta for Ada' })
  return { org, mia, ada, adamant }
}

describe('GET /search', () => {
  test('finds names in every object: prefixes first, then by name', async () => {
    const { mia, ada } = await seeded()
    expect(await names(mia, 'ADA')).toEqual(['Ada Lovelace', 'adamant', 'Beta for Ada', 'Nevada 100%'])
    expect((await search(mia, ' ada ', '&limit=1'))[0]).toEqual({
      objectId: ada.objectId,
      recordId: ada.id,
      name: 'Ada Lovelace',
    })
    expect(await names(mia, '%')).toEqual(['Nevada 100%'])
    expect(await names(mia, 'absent')).toEqual([])
  })

  test('finds email addresses, unique texts and phone numbers, and returns the match', async () => {
    const { mia, ada, adamant } = await seeded()
    const found = (matched: object) => [
      { objectId: ada.objectId, recordId: ada.id, name: 'Ada Lovelace', matched },
    ]
    const email = 'countess@analytical.example'
    expect(await search(mia, 'Analytical')).toEqual(found({ slug: 'email', value: email }))
    for (const phone of ['867-5309', '+1 (555) 867', '5558675309'])
      expect(await search(mia, phone)).toEqual(found({ slug: 'phone', value: '+1 555 867 5309' }))
    expect(await search(mia, 't.example')).toEqual([
      {
        objectId: adamant.objectId,
        recordId: adamant.id,
        name: 'adamant',
        matched: { slug: 'domain', value: 'adamant.example' },
      },
    ])
  })

  test.each([
    ['hopper grace', 'Grace Hopper'],
    ['jose varga', 'José Varga'],
    ['JOSÉ', 'José Varga'],
    ['zephyr rollout', 'Zephyr (EU) – Rollout'],
    ['zephyr-eu', 'Zephyr (EU) – Rollout'],
    ['oneil', 'Sinéad O’Neil'],
    ["o'neil sinead", 'Sinéad O’Neil'],
    ['strasse', 'Große Straße'],
    ['grace navy', 'Grace Hopper'],
  ])('finds words in any order, ignoring accents and punctuation: %s', async (text, expected) => {
    const mia = await (await service.org()).member('member')
    await createRecord(mia, 'people', { name: 'Grace Hopper', email: 'amazing@navy.example' })
    await createRecord(mia, 'people', { name: 'José Varga' })
    await createRecord(mia, 'people', { name: 'Sinéad O’Neil' })
    await createRecord(mia, 'companies', { name: 'Große Straße' })
    await createRecord(mia, 'deals', { name: 'Zephyr (EU) – Rollout' })
    expect(await names(mia, text)).toEqual([expected])
  })

  test('finds activities by their titles and notes, the newest first', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    for (const [title, summary, day] of [
      ['Call with Grace', 'About the rollout of Zephyr', '01'],
      ['Zephyr: kick-off', 'Rollout plan', '02'],
      ['Lunch', 'Nothing of it', '03'],
    ])
      await mia.post('/activities', { title, summary, activityDate: `2026-11-${day}T00:00:00.000Z` })
    const { body } = await mia.get<Hits>('/search?q=rollout%20zephyr')
    expect(body.activities.map(({ title }) => title)).toEqual(['Zephyr: kick-off', 'Call with Grace'])
    const other = await (await service.org()).member('member')
    expect((await other.get<Hits>('/search?q=rollout')).body.activities).toEqual([])
  })

  test('finds nothing in inactive objects, hidden attributes or other organizations', async () => {
    const { org, mia } = await seeded()
    const olivia = await org.member('owner')
    await olivia.post('/objects', { pluralName: 'Secrets', singularName: 'Secret' })
    await olivia.post('/objects/secrets/attributes', { name: 'Name', type: 'text' })
    await createRecord(mia, 'secrets', { name: 'Ada again' })
    expect(await names(mia, 'ada again')).toEqual(['Ada again'])
    await olivia.patch('/objects/secrets', { isActive: false })
    expect(await names(mia, 'ada again')).toEqual([])
    expect(await names(await (await service.org()).member('owner'), 'ada')).toEqual([])
  })

  test('returns the matching element of a list, and the id of a record without a name', async () => {
    const org = await service.org()
    const olivia = await org.member('owner')
    await olivia.post('/objects', { pluralName: 'Boxes', singularName: 'Box' })
    await olivia.post('/objects/boxes/attributes', { name: 'Mails', type: 'email', isList: true })
    const { id, objectId } = await createRecord(olivia, 'boxes', {
      mails: ['a@example.com', 'B@example.org'],
    })
    expect(await search(olivia, 'b@example')).toEqual([
      { objectId, recordId: id, name: id.slice(-8), matched: { slug: 'mails', value: 'B@example.org' } },
    ])
  })

  test('returns hints for records with the same name, only to keys that may read records', async () => {
    const { org, mia } = await seeded()
    const acme = await createRecord(mia, 'companies', { name: 'Acme', domain: 'acme.example' })
    await createRecord(mia, 'people', { name: 'Ada Lovelace', company: acme.id })
    const hints = async (key: string) => {
      const { body } = await service.inject({
        method: 'GET',
        url: '/api/v1/search?q=lovelace',
        headers: { authorization: `Bearer ${key}` },
      })
      return (JSON.parse(body) as Hits).records.map(({ hint }) => hint).sort()
    }
    const reading = ['search:read', 'records:read'] as const
    expect(await hints(await org.keyWith(reading))).toEqual(['Acme', 'countess@analytical.example'])
    expect(await hints(await org.keyWith(['search:read']))).toEqual([undefined, undefined])
  })

  test.each(['', '?q=', '?q=%20', '?q=%00', '?q=a&limit=51', '?q=a&limit=0', `?q=${'x'.repeat(201)}`])(
    'refuses %s',
    async (query) => {
      const mia = await (await service.org()).member('member')
      expectError(await mia.get(`/search${query}`), 'invalid_parameter')
    },
  )
})
