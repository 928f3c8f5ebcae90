import { type Static, Type } from 'typebox'
import { literals, StrictObject } from '../common.ts'
import { FilterTree } from '../filters.ts'
import { LOOP_ITEMS_MAX } from '../workflow-states.ts'
import { field, ObjectRef, type StepContract } from './fields.ts'

export const findRecords: StepContract = {
  group: 'Records',
  description: 'The records of an object that match a filter',
  keywords: 'search list query',
  key: 'found',
  config: StrictObject({
    object: ObjectRef,
    filter: Type.Optional(
      Type.Unsafe<Static<typeof FilterTree>>({ ...FilterTree, ...field('filter', 'Where') }),
    ),
    sort: Type.Optional(
      StrictObject({
        field: Type.String({ ...field('attribute', 'Sort by') }),
        order: Type.Optional(literals(['asc', 'desc'])),
      }),
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
    onEmptyValue: Type.Optional(
      Type.String({
        enum: ['findNothing', 'fail'],
        default: 'findNothing',
        title: 'If a value of the filter is empty',
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String(), { ...field('attributes', 'Only these attributes'), maxItems: 200 }),
    ),
  }),
  defaults: { object: '', limit: 20 },
  outputs: { count: 'number', records: 'records' },
}
