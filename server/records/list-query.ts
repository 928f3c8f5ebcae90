// The query of List Records; filters go by patterns, since attributes name them.
import { type Static, Type } from 'typebox'
import { FreeText } from '../../contract/records.ts'
import { countParam, cursorParam, limitParam, offsetParam } from '../http/paging.ts'

export const ListQuery = Type.Object(
  {
    limit: limitParam(),
    offset: offsetParam,
    cursor: cursorParam,
    count: countParam,
    q: Type.Optional(FreeText),
    sort: Type.Optional(
      Type.Union([Type.Literal('created_at'), Type.Literal('updated_at')], { default: 'created_at' }),
    ),
    order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')], { default: 'desc' })),
  },
  {
    additionalProperties: false,
    patternProperties: {
      '^filter\\[[^\\[\\]]*\\]\\[[^\\[\\]]*\\]$': Type.Union([Type.String(), Type.Array(Type.String())]),
    },
  },
)
export type ListQuery = Static<typeof ListQuery>
