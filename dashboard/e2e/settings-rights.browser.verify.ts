import { expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { pressOn } from './journey-keys.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()

const READ_ONLY = [
  ['General', 'Only owners and admins can change the organization.'],
  ['Members', 'Only owners and admins can invite members and change roles.'],
  ['Objects', 'Only owners and admins can change objects and attributes.'],
  ['API keys', 'API keys are for owners and admins'],
  ['Webhooks', 'Webhooks are for owners and admins'],
  ['Workflow secrets', 'Workflow secrets are for owners and admins'],
] as const

test('a member sees in each settings page who may change it', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const page = await dashboard.visit(await org.member('member'))
  const settings = page.getByRole('navigation', { name: 'Settings' })
  await page.goto(`/o/org-${org.id}`)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
  await settings.waitFor()
  for (const [name, reason] of READ_ONLY) {
    await pressOn(page, settings.getByRole('link', { name, exact: true }))
    await page.getByText(reason).first().waitFor()
    expect(await axeViolations(page), name).toEqual([])
  }
})
