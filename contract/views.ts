// Saved views: how one object's records are shown, for oneself or for everybody.
import { type Static, Type } from 'typebox'
import { Slug } from './attributes.ts'
import { Deleted, Timestamp, Uuid } from './common.ts'
import { BoardState } from './groups.ts'
import { ATTRIBUTES_PER_OBJECT_MAX } from './limits.ts'
import { UserRef } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import { SearchBody } from './records.ts'
import type { DashboardRoutes } from './route.ts'

/** created_at and updated_at are columns too. */
const COLUMNS_MAX = ATTRIBUTES_PER_OBJECT_MAX + 2

const Column = Type.Object(
  {
    slug: Slug,
    width: Type.Optional(Type.Integer({ minimum: 40, maximum: 2000, description: 'Pixels' })),
    isHidden: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

/** `version` grows when its form changes, so that views saved before are recognized. */
export const ViewState = Type.Object(
  {
    version: Type.Literal(1),
    columns: Type.Array(Column, { maxItems: COLUMNS_MAX, description: 'In order; each slug once' }),
    filter: SearchBody.properties.filter,
    sort: Type.Optional(
      Type.Object(
        { field: Slug, order: Type.Union([Type.Literal('asc'), Type.Literal('desc')]) },
        { additionalProperties: false },
      ),
    ),
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    rowHeight: Type.Optional(
      Type.Union([Type.Literal('compact'), Type.Literal('default'), Type.Literal('comfortable')]),
    ),
    board: Type.Optional(BoardState),
  },
  { additionalProperties: false },
)
export type ViewState = Static<typeof ViewState>

const Name = Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: 100 })
const Kind = Type.Union([Type.Literal('table'), Type.Literal('board')], {
  description: 'board requires state.board',
})

export const View = Type.Object(
  {
    id: Uuid,
    objectId: Uuid,
    name: Name,
    kind: Kind,
    isShared: Type.Boolean({ description: 'true: visible to all members of the organization' }),
    state: ViewState,
    createdBy: UserRef,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { additionalProperties: false },
)
export type View = Static<typeof View>

/** The caller's own and the shared ones, by name. */
export const ViewList = Type.Object({ views: Type.Array(View) }, { additionalProperties: false })

export const NewView = Type.Object(
  {
    name: Name,
    kind: Type.Optional(Kind),
    isShared: Type.Optional(Type.Boolean({ default: false })),
    state: ViewState,
  },
  { additionalProperties: false },
)
export type NewView = Static<typeof NewView>

export const ViewPatch = Type.Partial(NewView, { additionalProperties: false })
export type ViewPatch = Static<typeof ViewPatch>

export const viewRoutes = {
  listViews: {
    method: 'GET',
    path: '/objects/:objectId/views',
    scope: 'records:read',
    response: { 200: ViewList },
  },
  createView: {
    method: 'POST',
    path: '/objects/:objectId/views',
    scope: 'records:read',
    body: NewView,
    response: { 201: View },
  },
  updateView: {
    method: 'PATCH',
    path: '/objects/:objectId/views/:viewId',
    scope: 'records:read',
    body: ViewPatch,
    response: { 200: View },
  },
  deleteView: {
    method: 'DELETE',
    path: '/objects/:objectId/views/:viewId',
    scope: 'records:read',
    response: { 200: Deleted },
  },
} satisfies DashboardRoutes
