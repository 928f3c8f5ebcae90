// Helpers for tests of the import page.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeViolationsInBothSchemes } from './axe.ts'

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true }).waitFor()
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
export const choose = async (page: Page, text: string, name = 'companies.csv') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

export async function accessible(page: Page): Promise<void> {
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
}

/** The counts of the step, by label. */
export const counts = async (page: Page): Promise<Record<string, string>> =>
  Object.fromEntries((await page.locator('dl > div').allInnerTexts()).map((text) => text.split(/\s+/)))
