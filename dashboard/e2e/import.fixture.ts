// What the tests of the import page do again and again.
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

/** The numbers of the step, by what they are called. */
export const counts = async (page: Page) =>
  (await page.locator('dl > div').allInnerTexts()).map((text) => text.split(/\s+/))
