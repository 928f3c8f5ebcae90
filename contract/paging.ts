// The pages of lists: the parameters that every list of the API takes.
import { type Static, Type } from 'typebox'
import { literals, StrictObject } from './common.ts'
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from './limits.ts'

const limits = { minimum: 1, maximum: PAGE_LIMIT_MAX }

const pageFields = {
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: 'Rows to skip' }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'pagination.nextCursor of the previous page; cannot be combined with offset',
    }),
  ),
  count: Type.Optional(Type.Boolean({ default: true, description: 'false: omit pagination.total' })),
}

/** Of lists that may be long. @param fallback the default of limit */
export const pageParams = (fallback = PAGE_LIMIT_DEFAULT) => ({
  limit: Type.Optional(Type.Integer({ ...limits, default: fallback, description: 'Rows per page' })),
  ...pageFields,
})

/** Of lists that are never long, and that the specification answers whole. */
export const wholeListParams = {
  limit: Type.Optional(Type.Integer({ ...limits, description: 'Rows per page; all rows without it' })),
  ...pageFields,
}

export const WholeListQuery = StrictObject(wholeListParams)

/** Where lists had the cursor before every list had `pagination`. */
export const formerNextCursor = Type.Optional(
  Type.String({ description: 'Deprecated: use `pagination.nextCursor`' }),
)

/** As every list takes them. */
export type PageParams = Static<typeof WholeListQuery>

/** Of answers to writes and of requests: how far a replica must be to have what was written. */
export const POSITION_HEADER = 'X-Write-Position'

export const consistencyParam = Type.Optional(
  literals(['strong', 'eventual'], {
    default: 'strong',
    description: `eventual: may be read on a replica, which can lack the changes of the last seconds. Your own are there: of this key, up to the ${POSITION_HEADER} that you send`,
  }),
)
