// Pages of lists: the parameters that all lists of the API accept.
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

/** Parameters of lists that can be long. @param fallback the default of limit */
export const pageParams = (fallback = PAGE_LIMIT_DEFAULT) => ({
  limit: Type.Optional(Type.Integer({ ...limits, default: fallback, description: 'Rows per page' })),
  ...pageFields,
})

/** Parameters of lists that are never long. The specification returns all their rows by default. */
export const wholeListParams = {
  limit: Type.Optional(Type.Integer({ ...limits, description: 'Rows per page; all rows without it' })),
  ...pageFields,
}

export const WholeListQuery = StrictObject(wholeListParams)

/** The cursor's former place, from before all lists had `pagination`. */
export const formerNextCursor = Type.Optional(
  Type.String({ description: 'Deprecated: use `pagination.nextCursor`' }),
)

export type PageParams = Static<typeof WholeListQuery>

/** In responses to writes, and in requests: the position that a replica must have reached to contain the write. */
export const POSITION_HEADER = 'X-Write-Position'

export const consistencyParam = Type.Optional(
  literals(['strong', 'eventual'], {
    default: 'strong',
    description: `eventual: the response may come from a replica, which can lack the changes of the last seconds. Your own changes are included: changes by this key, up to the ${POSITION_HEADER} that you send`,
  }),
)
