import { expect, test } from 'vitest'
import type { Attribute } from '../../contract/attributes.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { button, expectAccessible, holdsFocus } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()

test('duplicate rules are switched by mouse and by keyboard', async () => {
  const org = await dashboard.service.org({ name: 'Aviato' })
  const page = await dashboard.open(`/o/org-${org.id}/settings/objects/people`, await org.member('owner'))
  const rules = async () => {
    const path = '/objects/people/duplicate-rules'
    const { body } = await org.get<{ rules: { id: string; isActive: boolean }[] }>(path)
    return body.rules.flatMap(({ id, isActive }) => (isActive ? id : []))
  }
  const duplicates = page.getByRole('region', { name: 'Duplicates' })
  await duplicates.getByRole('switch', { name: 'Same phone' }).click()
  await expect.poll(rules).toEqual(['same_email.email', 'same_phone.phone', 'similar_name.name.company'])
  await duplicates.getByRole('switch', { name: 'Same email' }).press('Space')
  await expect.poll(rules).toEqual(['same_phone.phone', 'similar_name.name.company'])
  await expectAccessible(page)
  const member = await dashboard.open(`/o/org-${org.id}/settings/objects/people`, await org.member('member'))
  await member.getByRole('switch', { name: 'Same phone', disabled: true }).waitFor()
})

test('case sensitivity of unique values is set, and records that prevent a change are listed', async () => {
  const org = await dashboard.service.org({ name: 'Hooli' })
  const page = await dashboard.open(`/o/org-${org.id}/settings/objects/companies`, await org.member('owner'))
  await button(page, 'New attribute').press('Enter')
  const panel = page.getByRole('dialog')
  await holdsFocus(panel)
  await button(panel, /^Text/).press('Enter')
  await panel.getByLabel('Name').fill('Code')
  const unique = panel.getByRole('checkbox', { name: 'Unique' })
  const caseSensitive = panel.getByRole('checkbox', { name: 'Case-sensitive' })
  await expect.poll(() => caseSensitive.count()).toBe(0)
  await unique.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => caseSensitive.isChecked()).toBe(true)
  await expectAccessible(page)
  await button(panel, /^Create attribute/).press('Enter')
  await panel.waitFor({ state: 'detached' })
  const config = async (slug = 'code') =>
    (await org.get<Attribute>(`/objects/companies/attributes/${slug}`)).body.config
  expect(await config()).toBeNull()
  await button(page, 'New attribute').click()
  await button(panel, /^Text/).click()
  await panel.getByLabel('Name').fill('Serial')
  await unique.check()
  await caseSensitive.uncheck()
  await button(panel, /^Create attribute/).click()
  await panel.waitFor({ state: 'detached' })
  expect(await config('serial')).toEqual({ caseSensitive: false })

  await button(page, 'Code').click()
  await caseSensitive.uncheck()
  await button(panel, /^Save changes/).click()
  await panel.waitFor({ state: 'detached' })
  expect(await config()).toEqual({ caseSensitive: false })
  await button(page, 'Code').click()
  await caseSensitive.check()
  await button(panel, /^Save changes/).click()
  await panel.waitFor({ state: 'detached' })
  expect(await config()).toEqual({ caseSensitive: true })
  const records = ['AB-1', 'ab-1'].map((code) => ({ data: { name: code, code } }))
  await org.post('/objects/companies/records/bulk', { records })
  await button(page, 'Code').click()
  await caseSensitive.focus()
  await page.keyboard.press('Space')
  await button(panel, /^Save changes/).press('Enter')
  const listed = panel.getByRole('list', { name: 'Values in different cases' })
  await listed.getByText('AB-1 · ab-1').waitFor()
  await expect.poll(() => listed.getByRole('link').count()).toBe(2)
  await expectAccessible(page)
  expect(await config()).toEqual({ caseSensitive: true })
})
