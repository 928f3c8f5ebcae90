// Reads and checks cells that are pasted into a table, before they are written.
import { type Static, Type } from 'typebox'
import { Nullable, StrictObject, Uuid } from './common.ts'
import { ATTRIBUTES_PER_OBJECT_MAX, BULK_MAX } from './limits.ts'
import { RecordData } from './records.ts'
import type { DashboardRoutes } from './route.ts'

const PastedRow = StrictObject({
  id: Type.Optional(
    Type.String({ ...Uuid, description: 'Id of the record that the row changes; omitted: a new record' }),
  ),
  cells: Type.Array(Type.String(), {
    maxItems: ATTRIBUTES_PER_OBJECT_MAX,
    description:
      'One cell for each column, in the format of import files: dates as `2026-11-20`, numbers with a decimal point. A blank cell clears the value',
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
  attributeSlug: Nullable(Type.String(), { description: 'null: the problem concerns the whole row' }),
  code: Type.String(),
  message: Type.String(),
})
export type CellProblem = Static<typeof CellProblem>

/** An amount without a currency is `{amount}`, and keeps the currency of the record. */
const CheckedRow = StrictObject({
  data: RecordData,
  problems: Type.Array(CellProblem, { description: 'Problems of the cells that have no value in `data`' }),
  isRefused: Type.Boolean({ description: 'true: no cell of the row can be written' }),
})
export type CheckedRow = Static<typeof CheckedRow>

/** Rows in the order of the request. */
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
