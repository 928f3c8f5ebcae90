import { expect, test } from 'vitest'
import { axeViolationsInBothSchemes } from '../axe.ts'
import { addActivity, addRecord } from '../crm.fixture.ts'
import { hasFocus } from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'

const dashboard = await openSharedDashboard()

async function busyMember() {
  const { org, member } = await dashboard.organization('member')
  const deal = (name: string, stage: string, amount: number, owner: string) =>
    addRecord(org, 'deals', { name, stage, amount: { amount, currency: 'USD' }, owner })
  await deal('Rocket', 'Lead', 1_500_000, member.userId)
  await deal('Anvil', 'Lead', 0, member.userId)
  await deal('Magnet', 'Won', 40, member.userId)
  await deal('Spring', 'Won', 2, org.userId)
  const task = { type: 'task', assignee: member.userId }
  await addActivity(org, { ...task, title: 'Send the offer', activityDate: '2020-01-01T10:00:00Z' })
  await addActivity(org, { ...task, title: 'Call back' })
  return { org, member }
}

test('checks off a task, reads the pipeline, and opens the deals of a stage and the board', async () => {
  const { org, member } = await busyMember()
  const page = await dashboard.open(`/o/org-${org.id}`, member)
  const tasks = page.getByRole('region', { name: 'My tasks' })
  const doneTasks = async () =>
    (await member.get<{ activities: object[] }>('/activities?isOpen=false')).body.activities.length
  const box = tasks.getByRole('checkbox', { name: 'Done: Send the offer' })
  await box.click()
  await tasks.getByText('Done', { exact: true }).waitFor()
  await expect.poll(doneTasks).toBe(1)
  await box.focus()
  await hasFocus(box)
  await page.keyboard.press('Space')
  await tasks.getByText('Done', { exact: true }).waitFor({ state: 'detached' })
  await expect.poll(doneTasks).toBe(0)

  const mine = page.getByRole('region', { name: 'My pipeline' })
  await mine.getByRole('row', { name: 'Lead 2 $1.5M' }).waitFor()
  await mine.getByRole('row', { name: 'Won 1 $40' }).waitFor()
  await mine.getByText('Everyone’s').click()
  const everyones = page.getByRole('region', { name: 'Deals by stage' })
  await everyones.getByRole('row', { name: 'Won 2 $42' }).waitFor()
  const changes = page.getByRole('region', { name: 'Recent changes' })
  await changes.getByRole('link', { name: 'Spring' }).waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])

  const stage = everyones.getByRole('link', { name: 'Won' })
  await stage.focus()
  await hasFocus(stage)
  await page.keyboard.press('Enter')
  const table = page.getByRole('grid')
  await table.getByRole('link', { name: 'Magnet' }).waitFor()
  await page.getByText('2 deals', { exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Open board' }).click()
  await page.getByRole('region', { name: 'Proposal' }).waitFor()
})
