// The objects of a small organization, the same as in server/reports/plan/plan.fixture.ts.
import type { Attribute } from '../../../../contract/attributes.ts'
import type { Draft } from './builder-state.ts'
import { allFields, type ReportField } from './report-fields.ts'
import { type Models, type ReportObject, reportObjects } from './report-objects.ts'

const times = { createdAt: '', updatedAt: '' }

function attribute(
  objectId: string,
  slug: string,
  type: Attribute['type'],
  more: Partial<Attribute> = {},
): Attribute {
  const name = slug.slice(0, 1).toUpperCase() + slug.slice(1)
  const flags = {
    ...{ isRequired: false, isUnique: false, isList: false, isActive: true },
    isNaming: slug === 'name',
    displayOrder: 0,
    defaultValue: null,
  }
  return { id: `${objectId}.${slug}`, objectId, name, slug, type, config: null, ...flags, ...times, ...more }
}

const to = (id: string) => ({ config: { allowed_object_id: id } })

type Facts = [slug: string, type: Attribute['type'], more?: Partial<Attribute>]

const object = (slug: string, [singularName, pluralName]: [string, string], attributes: Facts[]) => ({
  ...{ id: slug, type: 'standard' as const, slug, singularName, pluralName, description: '', isActive: true },
  ...times,
  namingAttributeId: `${slug}.name`,
  attributes: attributes.map((facts) => attribute(slug, ...facts)),
})

export const MODELS: Models = [
  object(
    'deals',
    ['Deal', 'Deals'],
    [
      ['name', 'text'],
      ['amount', 'currency'],
      ['size', 'number'],
      ['stage', 'select', { config: { options: ['Lead', 'Won'] } }],
      ['closed', 'date'],
      ['tags', 'list'],
      ['company', 'reference', to('companies')],
      ['partners', 'reference', { ...to('companies'), isList: true }],
    ],
  ),
  object(
    'companies',
    ['Company', 'Companies'],
    [
      ['name', 'text'],
      ['address', 'address'],
      ['parent', 'reference', to('companies')],
      ['owner', 'reference', to('people')],
    ],
  ),
  object(
    'people',
    ['Person', 'People'],
    [
      ['name', 'name'],
      ['email', 'email'],
      ['company', 'reference', to('companies')],
    ],
  ),
]

export const DEALS: Draft = {
  name: 'Test',
  source: { objectId: 'deals', alias: 'deal' },
  measures: [{ key: 'deals', op: 'count' }],
}

export const objectsIn = (draft: Pick<Draft, 'source' | 'joins'>): ReportObject[] =>
  reportObjects(MODELS, draft)

/** @throws when the field does not exist */
export function fieldNamed(draft: Draft, slug: string): ReportField {
  const found = allFields(objectsIn(draft)).find((one) => one.slug === slug)
  if (!found) throw new Error(`There is no ${slug}`)
  return found
}
