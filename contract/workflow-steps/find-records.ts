import { type Static, Type } from 'typebox'
import { FilterTree } from '../filters.ts'
import { LOOP_ITEMS_MAX } from '../workflow-states.ts'
import { closed, field, ObjectRef, type StepContract } from './fields.ts'

export const findRecords: StepContract = {
  group: 'Records',
  description: 'The records of an object that match a filter',
  keywords: 'search list query',
  key: 'found',
  config: Type.Object(
    {
      object: ObjectRef,
      filter: Type.Optional(
        Type.Unsafe<Static<typeof FilterTree>>({ ...FilterTree, ...field('filter', 'Where') }),
      ),
      sort: Type.Optional(
        Type.Object(
          {
            field: Type.String({ ...field('attribute', 'Sort by') }),
            order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
          },
          closed,
        ),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: LOOP_ITEMS_MAX,
          default: 20,
          title: 'At most',
          description: 'Records',
        }),
      ),
      fields: Type.Optional(
        Type.Array(Type.String(), { ...field('attributes', 'Only these attributes'), maxItems: 200 }),
      ),
    },
    closed,
  ),
  defaults: { object: '', limit: 20 },
  outputs: { count: 'number', records: 'records' },
}
