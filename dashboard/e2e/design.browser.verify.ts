// The component page, as `npm run dev` serves it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { createServer } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { axeViolationsInBothSchemes } from './axe.ts'
import { takeOwnPage } from './browser-pages.ts'
import { button } from './steps.fixture.ts'

const CONFIG = new URL('../vite.config.ts', import.meta.url).pathname

/** @returns the address of the dev server */
async function serve(): Promise<string> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'rapport-design-'))
  const vite = await createServer({
    ...{ configFile: CONFIG, cacheDir, logLevel: 'error' },
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
  })
  onTestFinished(async () => {
    await vite.close()
    await rm(cacheDir, { recursive: true, force: true })
  })
  await vite.listen()
  return new URL(vite.resolvedUrls?.local[0] ?? '').origin
}

async function open(): Promise<{ page: Page; faults: string[] }> {
  const base = await serve()
  const { page, giveBack } = await takeOwnPage(base, { viewport: { width: 1280, height: 800 } })
  onTestFinished(() => giveBack(base))
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto('/design.html')
  await page.getByRole('heading', { level: 1, name: 'Components' }).waitFor()
  return { page, faults }
}

test('shows all components in light and dark without violations, and opens layers and toasts', async () => {
  const { page, faults } = await open()
  await page.getByRole('table', { name: 'Companies' }).waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await page.getByText('Dark', { exact: true }).click()
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()

  await button(page, 'Open a panel').press('Enter')
  await page.getByRole('dialog', { name: 'A panel' }).waitFor()
  await page.keyboard.press('Escape')
  await button(page, 'Open a dialog').click()
  await button(page.getByRole('dialog', { name: 'A question' }), 'Understood').click()
  await button(page, 'Show Undo').click()
  await page.getByText('Acme was deleted').waitFor()
  await button(page, 'Show progress').click()
  await page.getByText('Deleted 80 of 200').waitFor()
  await button(page, 'Show an error').click()
  await page.getByText('It could not be saved').waitFor()
  const table = page.getByRole('table', { name: 'Companies' })
  await table.getByRole('button', { name: 'Deals' }).click()
  await table.locator('[aria-sort=descending]').filter({ hasText: 'Deals' }).waitFor()
  expect(faults).toEqual([])
})
