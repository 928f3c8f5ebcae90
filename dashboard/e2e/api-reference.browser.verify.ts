// The API reference at /docs: what axe finds in it, and lines that must stay whole.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { openDashboard } from './open-dashboard.ts'

const dashboard = await openDashboard()

interface Look {
  colorScheme: 'light' | 'dark'
  width: number
}

async function openReference({ colorScheme, width }: Look, hash = ''): Promise<Page> {
  const page = await dashboard.visit(undefined, { own: { colorScheme, viewport: { width, height: 900 } } })
  await page.goto(`/docs${hash}`)
  await page.getByRole('heading', { name: 'Rapport API', level: 1 }).waitFor()
  return page
}

const LOOKS = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 375 },
  { colorScheme: 'dark', width: 375 },
] as const

test.each(LOOKS)('axe finds nothing in the introduction: $colorScheme, $width px', async (look) => {
  const page = await openReference(look)
  expect(await axeViolations(page)).toEqual([])
})

test.each(LOOKS)('axe finds nothing in operations: $colorScheme, $width px', async (look) => {
  const page = await openReference(look, '#tag/records')
  await page.getByRole('heading', { name: 'Create a record', exact: true }).waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test.each([1440, 375])('the name of a scope stays on one line at %i px', async (width) => {
  const page = await openReference({ colorScheme: 'light', width })
  const scope = page.getByRole('cell', { name: 'objects:write', exact: true }).locator('code')
  await expect.poll(() => scope.evaluate((code) => code.getClientRects().length)).toBe(1)
})
