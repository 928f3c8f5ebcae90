// limit and offset as every list of the API takes them.
import { Type } from 'typebox'
import { literals } from './common.ts'
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from './limits.ts'

export const limitParam = (fallback = PAGE_LIMIT_DEFAULT) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_LIMIT_MAX, default: fallback, description: 'Rows per page' }),
  )

export const offsetParam = Type.Optional(
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: 'Rows to skip' }),
)

export const cursorParam = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'pagination.nextCursor of the previous page; cannot be combined with offset',
  }),
)

export const countParam = Type.Optional(
  Type.Boolean({ default: true, description: 'false: omit pagination.total' }),
)

/** Of answers to writes and of requests: how far a replica must be to have what was written. */
export const POSITION_HEADER = 'X-Write-Position'

export const consistencyParam = Type.Optional(
  literals(['strong', 'eventual'], {
    default: 'strong',
    description: `eventual: may be read on a replica, which can lack the changes of the last seconds. Your own are there: of this key, up to the ${POSITION_HEADER} that you send`,
  }),
)
