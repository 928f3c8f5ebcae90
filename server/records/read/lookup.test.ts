// Finds records by their names. Cells of an import contain names in place of ids.
import { expect, test } from 'vitest'
import { StaleModel } from '../../model/attributes/models.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { type IndexedAs, indexEmptyObject } from '../engine/indexed.fixture.ts'
import { selectByName } from './lookup-store.ts'

const service = await sharedTestService()
const { db, models } = service.ctx

const STORES: { name: string; as?: IndexedAs }[] = [
  { name: 'scanned' },
  { name: 'texts counted', as: { texts: 'values', keepsMissing: false } },
  { name: 'texts searched', as: { texts: 'presence', keepsMissing: true } },
]

const long = (end: string) => `${'Ärger '.repeat(40)}${end}`
const COMPANIES = ['Acme', 'ACME', 'acme', 'Beta', long('one'), long('two'), long('TWO'), 'Acme Inc']

test.each(STORES)(
  'finds up to two records for each name, ignoring case, the oldest first: $name',
  async ({ as }) => {
    const org = await service.org()
    const { body: object } = await org.get<{ id: string }>('/objects/companies')
    if (as) await indexEmptyObject(db, object.id, as)
    const places = new Map<string, string>()
    for (const [place, name] of COMPANIES.entries()) {
      const { body } = await org.post<{ id: string }>('/objects/companies/records', { data: { name } })
      places.set(body.id, `${place}`)
    }
    const model = await models.get(db, org.org, object.id)
    const attribute = model.attributes.get('name')
    if (!attribute) throw new Error('Companies have no name')
    const texts = ['aCme', 'beta', 'Acm', long('One'), long('two'), long(''), '%', 'Stranger']
    const found = await selectByName(db, model, { attribute, texts })
    const byText = Map.groupBy(found, ({ text }) => text)
    const shown = texts.map(
      (text) =>
        byText
          .get(text)
          ?.map(({ id }) => places.get(id))
          .join() ?? '',
    )
    expect(shown).toEqual(['0,1', '3', '', '4', '5,6', '', '', ''])
    await expect(selectByName(db, { ...model, version: 0 }, { attribute, texts })).rejects.toThrow(StaleModel)
  },
)
