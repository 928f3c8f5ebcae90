// Converts a row of texts to the JSON of its values. Numbers keep all digits.
import { nameOr } from '../../records/names/store.ts'

/** The keys are the names of plan/names.ts. */
export type TextRow = Readonly<Record<string, string | null>>

/** One value as JSON text. */
export type Cell = (row: TextRow) => string

const textAt = (row: TextRow, name: string) => row[name] ?? null

/** For values that are already JSON: numbers, true and false, stored values. */
export const plainReportCell =
  (name: string): Cell =>
  (row) =>
    textAt(row, name) ?? 'null'

export const textCell =
  (name: string): Cell =>
  (row) =>
    JSON.stringify(textAt(row, name))

export const referenceCell =
  (id: string, name: string): Cell =>
  (row) => {
    const found = textAt(row, id)
    return found === null ? 'null' : JSON.stringify({ id: found, name: nameOr(textAt(row, name), found) })
  }

export const amountCell =
  (amount: string, currency: string): Cell =>
  (row) => {
    const found = textAt(row, amount)
    return found === null ? 'null' : `{"amount":${found},"currency":${JSON.stringify(textAt(row, currency))}}`
  }
