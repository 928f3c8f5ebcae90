import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import { openDashboard } from './open-dashboard.ts'

const dashboard = await openDashboard()
const { service } = dashboard
const sample = readFileSync(new URL('../../samples/companies.csv', import.meta.url), 'utf8')
const SHOTS = process.env['SHOTS']

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()
async function shot(page: Page, name: string) {
  if (!SHOTS) return
  for (const [width, scheme] of [[1440, 'light'], [1024, 'dark'], [375, 'light']] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: scheme })
    await page.screenshot({ path: `/tmp/importui-${name}-${width}.png`, fullPage: false })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

test('look', async () => {
  const org = await service.org()
  const owner = await org.member('owner')
  for (const attribute of [
    { name: 'Symbol', type: 'text', isUnique: true },
    { name: 'GICS Sector', type: 'select', config: { options: ['Industrials', 'Health Care'] } },
    { name: 'Date added', type: 'date' },
  ])
    expect((await owner.post('/objects/companies/attributes', attribute)).status).toBe(201)
  const page = await dashboard.visit(owner)
  await page.goto(`/o/org-${org.id}/objects/companies/import`)
  await heading(page, 'Choose a CSV file')
  await shot(page, 'empty')
  const broken = `${sample.trimEnd()}\nBAD,Bad Date,Industrials,x,y,yesterday,1,1\nRAG,Ragged\n`
  await page.locator('input[type=file]').setInputFiles({ name: 'companies.csv', mimeType: 'text/csv', buffer: Buffer.from(broken) })
  await heading(page, 'Map the columns')
  await page.getByRole('combobox', { name: 'Attribute for Security' }).click()
  await shot(page, 'options')
  await page.getByRole('option', { name: 'Name (required)' }).click()
  await shot(page, 'map')
  await page.getByRole('combobox', { name: 'Attribute for Founded' }).click()
  await page.getByRole('option', { name: 'New attribute…' }).click()
  await page.getByRole('dialog').waitFor()
  await shot(page, 'new')
  await page.getByRole('button', { name: 'Add attribute' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Check 505 rows' }).click()
  await heading(page, 'Checking the file')
  await shot(page, 'checking')
  await service.drain()
  await heading(page, 'What the import would do')
  await shot(page, 'checked')
  await page.getByRole('button', { name: /^Import \d/ }).click()
  await heading(page, 'Importing')
  await shot(page, 'running')
  await service.drain()
  await heading(page, 'Import completed')
  await shot(page, 'done')
  await page.getByRole('button', { name: 'Import another file' }).click()
  await shot(page, 'recent')
})
