// Names of columns and rows in the statement. They are numbered, so that no text of a request is used as a name.
import { raw, type Sql } from 'sql-template-tag'

const numbered =
  (letter: string) =>
  (index: number): Sql =>
    raw(`${letter}${index}`)

/** Groups, currencies, values, ids, measures, columns, names of records, elements of lists. */
export const g = numbered('g')
export const c = numbered('c')
export const v = numbered('v')
export const i = numbered('i')
export const m = numbered('m')
export const x = numbered('x')
export const n = numbered('n')
export const l = numbered('l')
