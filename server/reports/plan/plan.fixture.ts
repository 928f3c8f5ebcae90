// Models of test objects, for planning without a database.
import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { ReportDefinition } from '../../../contract/reports.ts'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'
import { type Planned, planReport } from './plan.ts'
import type { Surroundings } from './planning.ts'

const idOf = (obj: number) => `0198c0de-0000-7000-8000-${String(obj).padStart(12, '0')}`

interface Attribute {
  type: AttributeType
  isList?: boolean
  /** For references: the internal number of the referenced object. */
  to?: number
  options?: string[]
}

function attributeOf(
  slug: string,
  attr: number,
  { type, isList = false, to, options }: Attribute,
): ModelAttribute {
  const config = to === undefined ? (options ? { options } : null) : { allowed_object_id: idOf(to) }
  const flags = { isRequired: false, isUnique: false, isList, isNaming: false }
  return { attr, id: idOf(1000 + attr), name: slug, slug, type, config, targetObj: to ?? null, ...flags }
}

function modelOf(obj: number, slug: string, attributes: Record<string, Attribute>): ObjectModel {
  const entries = Object.entries(attributes).map(
    ([name, one], index) => [name, attributeOf(name, obj * 100 + index, one)] as const,
  )
  const facts = {
    org: 1,
    type: 'custom' as const,
    isActive: true,
    version: 1,
    index: undefined,
    hiddenSlugs: [],
    renaming: null,
  }
  return { ...facts, obj, id: idOf(obj), slug, attributes: new Map(entries) }
}

const MODELS = [
  modelOf(1, 'deals', {
    name: { type: 'text' },
    amount: { type: 'currency' },
    size: { type: 'number' },
    stage: { type: 'select', options: ['Lead', 'Won'] },
    closed: { type: 'date' },
    tags: { type: 'list' },
    company: { type: 'reference', to: 2 },
    partners: { type: 'reference', to: 2, isList: true },
  }),
  modelOf(2, 'companies', {
    name: { type: 'text' },
    address: { type: 'address' },
    parent: { type: 'reference', to: 2 },
    owner: { type: 'reference', to: 3 },
  }),
  modelOf(3, 'people', {
    name: { type: 'name' },
    email: { type: 'email' },
    company: { type: 'reference', to: 2 },
  }),
]

const SURROUNDINGS: Surroundings = {
  locale: { country: 'US', currency: 'USD' },
  timeZone: 'UTC',
  today: '2026-11-20',
}

/** Plans with the models above. */
export function plan(definition: Omit<ReportDefinition, 'name'>): Exclude<Planned, { needs: unknown }> {
  const known = new Map<string, ObjectModel | null>()
  for (;;) {
    const planned = planReport({ name: 'Test', ...definition }, known, SURROUNDINGS)
    if (!('needs' in planned)) return planned
    for (const ref of planned.needs)
      known.set(ref, MODELS.find(({ id, slug }) => id === ref || slug === ref) ?? null)
  }
}
