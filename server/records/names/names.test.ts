import { describe, expect, test } from 'vitest'
import type { Attribute } from '../../../contract/attributes.ts'
import { bodyOf, createRecord, expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

const service = await sharedTestService()

const ATTRIBUTES = '/objects/projects/attributes'

interface Names {
  names: { objectId: string; recordId: string; name: string }[]
}

describe('POST /record-names', () => {
  test('names records of several objects, each once, and leaves out records that do not exist', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const ada = await createRecord(mia, 'people', { name: 'Ada Lovelace' })
    const acme = await createRecord(mia, 'companies', { name: 'Acme' })
    const refs = [
      { objectId: ada.objectId, recordId: ada.id.toUpperCase() },
      { objectId: acme.objectId, recordId: acme.id },
      { objectId: ada.objectId, recordId: ada.id },
      { objectId: acme.objectId, recordId: ada.id },
      { objectId: NO_SUCH, recordId: ada.id },
    ]
    const body = bodyOf(await mia.post<Names>('/record-names', { refs }))
    const byName = body.names.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    expect(byName).toEqual([
      { objectId: acme.objectId, recordId: acme.id, name: 'Acme' },
      { objectId: ada.objectId, recordId: ada.id, name: 'Ada Lovelace' },
    ])
  })

  test('takes the name from an attribute of the object, and falls back to the id', async () => {
    const org = await service.org()
    const olivia = await org.member('owner')
    await olivia.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
    const { id: recordId, objectId } = await createRecord(olivia, 'projects', {})
    const nameNow = async () =>
      (await olivia.post<Names>('/record-names', { refs: [{ objectId, recordId }] })).body.names[0]?.name
    expect(await nameNow()).toBe(recordId.slice(-8))
    await olivia.post('/objects/projects/attributes', { name: 'Code', type: 'text' })
    await olivia.patch(`/objects/projects/records/${recordId}`, { data: { code: 'Apollo' } })
    expect(await nameNow()).toBe('Apollo')
    await olivia.patch(`/objects/projects/records/${recordId}`, { data: { code: '𝒜'.repeat(301) } })
    expect(await nameNow()).toBe('𝒜'.repeat(300))
  })

  test('takes the name from the chosen attribute, until it is deactivated or deleted', async () => {
    const org = await service.org()
    const olivia = await org.member('owner')
    await olivia.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
    for (const name of ['Name', 'Title']) await olivia.post(ATTRIBUTES, { name, type: 'text' })
    const { body } = await olivia.get<{ attributes: Attribute[] }>(ATTRIBUTES)
    const title = `${ATTRIBUTES}/${body.attributes.find(({ slug }) => slug === 'title')?.id}`
    const { id: recordId, objectId } = await createRecord(olivia, 'projects', { title: 'Moon landing' })
    const nameNow = async () =>
      (await olivia.post<Names>('/record-names', { refs: [{ objectId, recordId }] })).body.names[0]?.name
    const found = async () =>
      (await olivia.get<{ records: { name: string }[] }>('/search?q=moon')).body.records.map(
        ({ name }) => name,
      )
    expect(await nameNow()).toBe(recordId.slice(-8))
    const naming = { namingAttributeId: title.split('/').at(-1) }
    expect((await olivia.patch('/objects/projects', naming)).body).toMatchObject(naming)
    expect(await nameNow()).toBe('Moon landing')
    expect(await found()).toEqual(['Moon landing'])
    await olivia.patch(`${title}/active`, { isActive: false })
    expect(await nameNow()).toBe(recordId.slice(-8))
    await olivia.patch(`${title}/active`, { isActive: true })
    expect(await nameNow()).toBe('Moon landing')
    await olivia.delete(title)
    expect(await nameNow()).toBe(recordId.slice(-8))
  })

  test('returns no names of another organization', async () => {
    const [mia, zoe] = [
      await (await service.org()).member('member'),
      await (await service.org()).member('member'),
    ]
    const { id: recordId, objectId } = await createRecord(zoe, 'people', { name: 'Ada' })
    const { body } = await mia.post<Names>('/record-names', { refs: [{ objectId, recordId }] })
    expect(body.names).toEqual([])
  })

  test.each([
    { refs: [] },
    { refs: [{ objectId: 'people', recordId: NO_SUCH }] },
    { refs: Array(501).fill({ objectId: NO_SUCH, recordId: NO_SUCH }) },
    {},
  ])('rejects invalid request %#', async (body) => {
    const mia = await (await service.org()).member('member')
    expectError(await mia.post('/record-names', body), 'validation_error')
  })
})
