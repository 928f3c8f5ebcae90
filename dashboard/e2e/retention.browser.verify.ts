import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { axeViolationsInBothSchemes } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const { db } = dashboard.service.ctx

async function setUp() {
  const { org, owner } = await dashboard.organization('owner')
  const ids: string[] = []
  for (const name of ['Ada', 'Bo']) {
    const { body } = await owner.post<{ id: string }>('/objects/people/records', { data: { name } })
    ids.push(body.id)
  }
  await db.run(sql`
    update records set updated_at = updated_at - interval '800 days' where id = any(${ids}::uuid[])`)
  const retention = async () => (await owner.get('/objects/people/retention')).body
  return { org, owner, retention, settings: `/o/org-${org.id}/settings/objects/people` }
}

test('retention is set by keyboard, shows the number of affected records, and is cleared', async () => {
  const { owner, retention, settings } = await setUp()
  const page = await dashboard.visit(owner)
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(settings)
  const section = page.getByRole('region', { name: 'Retention' })
  const days = section.getByLabel('Days without a change')
  await days.focus()
  await page.keyboard.type('900')
  await section.getByText('This concerns no record now.').waitFor()
  await days.fill('730')
  await section.getByText('Within an hour 2 records will be moved to the trash.').waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByText('Retention saved').waitFor()
  await expect.poll(retention).toEqual({ days: 730, due: 2 })
  await days.fill('')
  await section.getByRole('button', { name: 'Save retention' }).click()
  await expect.poll(retention).toEqual({ days: null, due: null })
})

test('a refusal is shown at the field, and nothing is saved', async () => {
  const { owner, retention, settings } = await setUp()
  const page = await dashboard.open(settings, owner)
  const section = page.getByRole('region', { name: 'Retention' })
  await section.getByLabel('Days without a change').fill('99999')
  await page.keyboard.press('Enter')
  await section.getByText(/36,?500/).waitFor()
  expect(await retention()).toEqual({ days: null, due: null })
})

test('members do not see the retention', async () => {
  const { org, settings } = await setUp()
  const page = await dashboard.open(settings, await org.member('member'))
  await page.getByRole('heading', { name: 'Attributes' }).waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Retention' }).count()).toBe(0)
})
