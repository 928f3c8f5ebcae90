// Saved views: how the records of one object are shown, to one member or to all.
import { type Static, Type } from 'typebox'
import { Slug } from './attributes.ts'
import { Deleted, listOf, literals, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleDeleted, exampleId, exampleTimes, exampleUser, exampleWhole } from './example-values.ts'
import { BoardState } from './groups.ts'
import { ATTRIBUTES_PER_OBJECT_MAX, SORTS_MAX } from './limits.ts'
import { UserRef } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import { WholeListQuery } from './paging.ts'
import { SearchBody } from './records.ts'
import type { ApiRoutes } from './route.ts'
import { SORT_FIELD_PATTERN } from './sort-field.ts'
import { SUMMARIES } from './summary-kinds.ts'

/** created_at and updated_at can also be columns. */
const COLUMNS_MAX = ATTRIBUTES_PER_OBJECT_MAX + 2

const Column = StrictObject({
  slug: Slug,
  width: Type.Optional(Type.Integer({ minimum: 40, maximum: 2000, description: 'Pixels' })),
  isHidden: Type.Optional(Type.Boolean()),
  summary: Type.Optional(literals(SUMMARIES, { description: 'Summary in the footer of the column' })),
})

const ViewSort = StrictObject({
  field: Type.String({
    pattern: SORT_FIELD_PATTERN,
    description:
      'created_at, updated_at, the slug of an attribute, or a part of its values, such as name.lastName',
    examples: ['amount'],
  }),
  order: literals(['asc', 'desc']),
})

/** `version` increases when the schema changes, so that older views are recognized. */
export const ViewState = StrictObject({
  version: Type.Literal(1),
  columns: Type.Array(Column, { maxItems: COLUMNS_MAX, description: 'Columns in order; each slug once' }),
  filter: SearchBody.properties.filter,
  sort: Type.Optional(ViewSort),
  thenBy: Type.Optional(
    Type.Array(ViewSort, {
      minItems: 1,
      maxItems: SORTS_MAX - 1,
      description: 'Requires `sort`. Each key orders the records that are equal by the keys before it',
    }),
  ),
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

/** The views of the caller and the shared views, by name. */
export const ViewList = listOf('views', View)

export const NewView = StrictObject({
  name: Name,
  kind: Type.Optional(Kind),
  isShared: Type.Optional(Type.Boolean({ default: false })),
  state: ViewState,
})
export type NewView = Static<typeof NewView>

export const ViewPatch = Type.Partial(NewView, { additionalProperties: false })
export type ViewPatch = Static<typeof ViewPatch>

const exampleState = {
  version: 1,
  columns: [{ slug: 'name' }, { slug: 'amount', width: 160 }],
  filter: { and: [{ attributeSlug: 'stage', operator: 'equals', value: 'Qualified' }] },
  sort: { field: 'amount', order: 'desc' },
} as const

const exampleView = {
  id: exampleId(14),
  objectId: exampleId(4),
  name: 'Qualified deals',
  kind: 'table',
  isShared: true,
  state: exampleState,
  createdBy: exampleUser,
  ...exampleTimes,
} as const

/** Schemas by their names in the API document. */
export const viewSchemas = { View, ViewList, ViewState, NewView, ViewPatch }

export const viewRoutes = {
  listViews: {
    at: 'GET /objects/:objectId/views',
    scope: 'views:read',
    summary: 'List the saved views of an object',
    description: 'Shared views, and views of the member who created the key.',
    query: WholeListQuery,
    response: { 200: ViewList },
    example: { response: { views: [exampleView], pagination: exampleWhole } },
  },
  getView: {
    at: 'GET /objects/:objectId/views/:viewId',
    scope: 'views:read',
    summary: 'Get a saved view',
    response: { 200: View },
    example: { response: exampleView },
  },
  createView: {
    at: 'POST /objects/:objectId/views',
    scope: 'views:write',
    readScope: 'views:read',
    summary: 'Create a saved view',
    description:
      'The view belongs to the member who created the key. With `isShared` the view is visible to all members of the organization.',
    body: NewView,
    response: { 201: View },
    errors: ['invalid_filter'],
    example: {
      body: { name: 'Qualified deals', isShared: true, state: exampleState },
      response: exampleView,
    },
  },
  updateView: {
    at: 'PATCH /objects/:objectId/views/:viewId',
    scope: 'views:write',
    readScope: 'views:read',
    summary: 'Update a saved view',
    body: ViewPatch,
    response: { 200: View },
    errors: ['invalid_filter', 'precondition_failed'],
    example: { body: { name: 'Qualified' }, response: { ...exampleView, name: 'Qualified' } },
  },
  deleteView: {
    at: 'DELETE /objects/:objectId/views/:viewId',
    scope: 'views:write',
    summary: 'Delete a saved view',
    response: { 200: Deleted },
    errors: ['precondition_failed'],
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes
