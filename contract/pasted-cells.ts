// Cells pasted into a table, read and checked before anything is written.
import { type Static, Type } from 'typebox'
import { Nullable, StrictObject, Uuid } from './common.ts'
import { ATTRIBUTES_PER_OBJECT_MAX, BULK_MAX } from './limits.ts'
import { RecordData } from './records.ts'
import type { DashboardRoutes } from './route.ts'

const PastedRow = StrictObject({
  id: Type.Optional(
    Type.String({ ...Uuid, description: 'The record that the row changes; none: a new one' }),
  ),
  cells: Type.Array(Type.String(), {
    maxItems: ATTRIBUTES_PER_OBJECT_MAX,
    description:
      'One for each column, as files of imports have them: days as `2026-11-20`, numbers with a point. Blank clears the value',
  }),
})

export const PastedCells = StrictObject({
  columns: Type.Array(Type.String({ description: 'Slug of an attribute' }), {
    minItems: 1,
    maxItems: ATTRIBUTES_PER_OBJECT_MAX,
  }),
  rows: Type.Array(PastedRow, { minItems: 1, maxItems: BULK_MAX }),
})
export type PastedCells = Static<typeof PastedCells>

const CellProblem = StrictObject({
  attributeSlug: Nullable(Type.String(), { description: 'null: of the whole row' }),
  code: Type.String(),
  message: Type.String(),
})
export type CellProblem = Static<typeof CellProblem>

/** An amount without a currency is `{amount}`: it takes the currency that the record has. */
const CheckedRow = StrictObject({
  data: RecordData,
  problems: Type.Array(CellProblem, { description: 'Of the cells that `data` has no value of' }),
  isRefused: Type.Boolean({ description: 'true: nothing of the row can be written' }),
})
export type CheckedRow = Static<typeof CheckedRow>

/** In the order of the rows. */
export const CheckedCells = StrictObject({ rows: Type.Array(CheckedRow) })
export type CheckedCells = Static<typeof CheckedCells>

export const pastedCellRoutes = {
  checkPastedCells: {
    at: 'POST /objects/:objectId/pasted-cells/check',
    changesNothing: true,
    scope: 'records:write',
    body: PastedCells,
    response: { 200: CheckedCells },
    errors: ['object_inactive'],
  },
} satisfies DashboardRoutes
