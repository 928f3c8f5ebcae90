import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../server/test/temporary-folder.ts'
import { addRecord } from '../crm.fixture.ts'
import { drop, png } from '../files.fixture.ts'
import { hasFocus } from '../journey-keys.fixture.ts'
import { openDashboard } from '../open-dashboard.ts'
import { button, chooseFromMenu, expectAccessible, keepNotes } from '../steps.fixture.ts'

const dataDir = await temporaryFolder('files-journey')
const dashboard = await openDashboard({ dataDir })

const files = (page: Page) => page.getByRole('region', { name: 'Files' })

/** Chooses an action of a file by keyboard. */
const act = (page: Page, file: string, action: string) =>
  chooseFromMenu(button(files(page), `Actions for ${file}`), action)

test('files are chosen and dropped, and one is renamed, removed and restored', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const id = await addRecord(org, 'companies', { name: 'Acme' })
  const page = await dashboard.open(`/o/org-${org.id}/objects/companies/${id}`, await org.member('member'))
  await keepNotes(page)
  await files(page).getByText('Drop files here').waitFor()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button(files(page), 'Add files').press('Enter'),
  ])
  await chooser.setFiles({ name: 'draft.txt', mimeType: 'text/plain', buffer: Buffer.from('draft') })
  await files(page).getByRole('link', { name: 'draft.txt' }).waitFor()
  await drop(page.getByRole('region', { name: 'Details' }), png('Site.png'))
  await files(page).getByRole('link', { name: 'Site.png' }).waitFor()
  await expectAccessible(page)

  await act(page, 'draft.txt', 'Rename')
  const field = files(page).getByRole('textbox', { name: 'New name of draft.txt' })
  await hasFocus(field)
  // The name is selected without its extension.
  await expect.poll(() => page.evaluate('document.activeElement.selectionEnd')).toBe('draft'.length)
  await page.keyboard.type('Contract')
  await page.keyboard.press('Enter')
  await files(page).getByRole('link', { name: 'Contract.txt' }).waitFor()
  await hasFocus(button(files(page), 'Actions for Contract.txt'))
  await act(page, 'Contract.txt', 'Remove')
  await files(page).getByRole('link', { name: 'Contract.txt' }).waitFor({ state: 'detached' })
  const removed = page.getByRole('alert').filter({ hasText: 'Contract.txt was removed' })
  await button(removed, 'Undo').click()
  await files(page).getByRole('link', { name: 'Contract.txt' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    files(page).getByRole('link', { name: 'Contract.txt' }).click(),
  ])
  await download.path()
})
