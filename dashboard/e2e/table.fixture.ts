// Helpers for a table of records: its cells by column name.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** @param columns names in the order of the table */
export function tableOf(columns: readonly string[]) {
  const idOf = (column: string, row: number) => `cell-${row}-${columns.indexOf(column)}`
  const cell = (page: Page, column: string, row = 0) => page.locator(`#${idOf(column, row)}`)
  return {
    cell,
    /** Focuses the cell without editing it. */
    async choose(page: Page, column: string, row = 0): Promise<void> {
      await cell(page, column, row).click({ position: { x: 3, y: 3 } })
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(idOf(column, row))
    },
  }
}
