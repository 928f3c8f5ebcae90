// Replaces values of a file in every row, before they are parsed.
import type { ImportCheck, Replacement } from '../../contract/imports.ts'
import { invalidField } from '../base/errors.ts'

/** By index of the column: text of the cell → replacement. */
export type Replacements = ReadonlyMap<number, ReadonlyMap<string, string>>

/** The text of a cell as problems show it and replacements name it. */
export const cellText = (cell: string): string => cell.replaceAll('\0', '').toWellFormed().trim()

function refuse(replacements: readonly Replacement[], mapped: ReadonlySet<number>): void {
  const seen = new Set<string>()
  for (const [place, { index, value }] of replacements.entries()) {
    const at = `replacements[${place}]`
    if (!mapped.has(index))
      throw invalidField(
        `${at}.index`,
        'unknown_column',
        `must be a column that is mapped: map column ${index}, or leave this out`,
      )
    const key = `${index} ${value}`
    if (seen.has(key))
      throw invalidField(
        `${at}.value`,
        'duplicate',
        `must differ from the other values of column ${index}: "${value}" is sent twice, send it once`,
      )
    seen.add(key)
  }
}

/** @throws 400 validation_error if a column is not mapped, or a value is sent twice */
export function replacementsOf({
  mapping,
  replacements = [],
}: Pick<ImportCheck, 'mapping' | 'replacements'>): Replacements {
  refuse(replacements, new Set(mapping.map(({ index }) => index)))
  const byColumn = Map.groupBy(replacements, ({ index }) => index)
  return new Map(
    [...byColumn].map(([index, ones]) => [
      index,
      new Map(ones.map(({ value, with: text }) => [value, text ?? ''])),
    ]),
  )
}

export function replacedCells(replacements: Replacements, cells: readonly string[]): readonly string[] {
  if (replacements.size === 0) return cells
  return cells.map((cell, index) => replacements.get(index)?.get(cellText(cell)) ?? cell)
}
