import { afterAll, expect, test } from 'vitest'
import { startStandIn, TOKEN } from '../../server/webhooks/svix/stand-in.fixture.ts'
import { axeViolations } from './axe.ts'
import { openDashboard } from './open-dashboard.ts'

const standIn = await startStandIn()
afterAll(() => standIn.close())
const dashboard = await openDashboard({ svix: { token: TOKEN, url: standIn.url } })

test('if Svix delivers, every webhook page leads to its portal', async () => {
  const org = await dashboard.service.org()
  const page = await dashboard.visit(await org.member('owner'))
  await page.route('https://app.svix.example/**', (route) => route.fulfill({ body: 'here it is' }))
  const webhooks = `/o/org-${org.id}/settings/webhooks`
  const title = page.getByRole('heading', { name: 'Svix delivers webhooks here' })
  for (const path of [
    `${webhooks}/event-types`,
    `${webhooks}/0198c0de-0000-7000-8000-00000000000a`,
    webhooks,
  ]) {
    await page.goto(path)
    await title.waitFor()
  }
  expect(await axeViolations(page)).toEqual([])

  const button = page.getByRole('button', { name: 'Open the portal of Svix' })
  standIn.interfere(() => ({ status: 500 }))
  await button.click()
  await page
    .getByRole('alert')
    .getByText(/Svix, which delivers webhooks here, does not respond/)
    .waitFor()
  standIn.interfere()
  await button.click()
  await page.waitForURL(`https://app.svix.example/login#key=${org.id}`)
})
