// Saved views: how one object's records are shown, for oneself or for everybody.
import { type Static, Type } from 'typebox'
import { Slug } from './attributes.ts'
import { Deleted, literals, StrictObject, Timestamp, Uuid } from './common.ts'
import { BoardState } from './groups.ts'
import { ATTRIBUTES_PER_OBJECT_MAX } from './limits.ts'
import { UserRef } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import { SearchBody } from './records.ts'
import type { DashboardRoutes } from './route.ts'

/** created_at and updated_at are columns too. */
const COLUMNS_MAX = ATTRIBUTES_PER_OBJECT_MAX + 2

const Column = StrictObject({
  slug: Slug,
  width: Type.Optional(Type.Integer({ minimum: 40, maximum: 2000, description: 'Pixels' })),
  isHidden: Type.Optional(Type.Boolean()),
})

/** `version` grows when its form changes, so that views saved before are recognized. */
export const ViewState = StrictObject({
  version: Type.Literal(1),
  columns: Type.Array(Column, { maxItems: COLUMNS_MAX, description: 'In order; each slug once' }),
  filter: SearchBody.properties.filter,
  sort: Type.Optional(StrictObject({ field: Slug, order: literals(['asc', 'desc']) })),
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  rowHeight: Type.Optional(literals(['compact', 'default', 'comfortable'])),
  board: Type.Optional(BoardState),
})
export type ViewState = Static<typeof ViewState>

const Name = Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: 100 })
const Kind = literals(['table', 'board'], {
  description: 'board requires state.board',
})

export const View = StrictObject({
  id: Uuid,
  objectId: Uuid,
  name: Name,
  kind: Kind,
  isShared: Type.Boolean({ description: 'true: visible to all members of the organization' }),
  state: ViewState,
  createdBy: UserRef,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type View = Static<typeof View>

/** The caller's own and the shared ones, by name. */
export const ViewList = StrictObject({ views: Type.Array(View) })

export const NewView = StrictObject({
  name: Name,
  kind: Type.Optional(Kind),
  isShared: Type.Optional(Type.Boolean({ default: false })),
  state: ViewState,
})
export type NewView = Static<typeof NewView>

export const ViewPatch = Type.Partial(NewView, { additionalProperties: false })
export type ViewPatch = Static<typeof ViewPatch>

export const viewRoutes = {
  listViews: {
    at: 'GET /objects/:objectId/views',
    scope: 'records:read',
    response: { 200: ViewList },
  },
  createView: {
    at: 'POST /objects/:objectId/views',
    scope: 'records:read',
    body: NewView,
    response: { 201: View },
  },
  updateView: {
    at: 'PATCH /objects/:objectId/views/:viewId',
    scope: 'records:read',
    body: ViewPatch,
    response: { 200: View },
  },
  deleteView: {
    at: 'DELETE /objects/:objectId/views/:viewId',
    scope: 'records:read',
    response: { 200: Deleted },
  },
} satisfies DashboardRoutes
