import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { mailTo, person } from '../../../server/identity/visitor.fixture.ts'
import { hasFocus } from '../journey-keys.fixture.ts'
import { openDashboard } from '../open-dashboard.ts'
import { button, expectAccessible, holdsFocus } from '../steps.fixture.ts'

const dashboard = await openDashboard()

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const email = (page: Page) => page.getByRole('textbox', { name: 'Email' })

/** Opens the link in a message. */
async function followMail(page: Page, address: string, subject: RegExp): Promise<void> {
  const text = await mailTo(dashboard.service, address, subject)
  const { pathname, search } = new URL(/^http\S+$/m.exec(text)?.[0] ?? '')
  await page.goto(pathname + search)
}

/** Types an email address and a password, and submits them with Enter. */
async function enter(page: Page, address: string, password: string): Promise<void> {
  await email(page).fill(address)
  await page.getByLabel(/^Password/).fill(password)
  await hasFocus(page.getByLabel(/^Password/))
  await page.keyboard.press('Enter')
}

async function signUp(page: Page, organization: string): Promise<void> {
  const { name, email: address, password } = person()
  await page.goto('/sign-up')
  await page.getByLabel('Your name').fill(name)
  await email(page).fill(address)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByLabel('Organization').fill(organization)
  await expectAccessible(page)
  await button(page, 'Create account').click()
  await heading(page, 'Home').waitFor()
  await page.getByText('Confirm your email address to invite people and send email.').waitFor()
  await page.getByText('The link is in the terminal where npm start runs').waitFor()
  await followMail(page, address, /^Confirm your/)
  await button(page, 'Confirm').waitFor()
  await expectAccessible(page)
  await button(page, 'Confirm').press('Enter')
  await heading(page, 'Your email address is confirmed').waitFor()
  await page.getByRole('link', { name: 'Open Rapport' }).click()
  await heading(page, 'Home').waitFor()
}

async function invite(page: Page, address: string): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Members' }).click()
  await button(page, 'Invite').click()
  await holdsFocus(page.getByRole('dialog'))
  await email(page).fill(address)
  await hasFocus(email(page))
  await page.keyboard.press('Enter')
  await page.getByText('This installation does not send email').waitFor()
  await button(page, 'Done').click()
  await page.getByRole('row', { name: new RegExp(address) }).waitFor()
}

async function signOut(page: Page): Promise<void> {
  await button(page, /profile and appearance/).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(page, 'Sign in to Rapport').waitFor()
}

test('an owner signs up and invites a colleague, who joins and replaces a forgotten password', async () => {
  const owner = await dashboard.visit()
  await signUp(owner, 'Hooli')
  const { email: address } = person()
  await invite(owner, address)

  const guest = await dashboard.visit()
  await followMail(guest, address, /Hooli/)
  await heading(guest, 'Join Hooli').waitFor()
  await expectAccessible(guest)
  await guest.getByLabel('Your name').fill('Bob Newcomer')
  await guest.getByLabel(/^Password/).fill('correct horse')
  await hasFocus(guest.getByLabel(/^Password/))
  await guest.keyboard.press('Enter')
  await heading(guest, 'Home').waitFor()

  await signOut(guest)
  await expectAccessible(guest)
  await guest.getByRole('link', { name: 'Forgot your password?' }).click()
  await heading(guest, 'Forgot your password?').waitFor()
  await expectAccessible(guest)
  await email(guest).fill(address)
  await button(guest, 'Send link').click()
  await guest.getByText('This installation does not send email').waitFor()
  await followMail(guest, address, /Reset/)
  await guest.getByLabel(/^New password/).fill('battery staple')
  await expectAccessible(guest)
  await button(guest, 'Change password').click()
  await heading(guest, 'Your password was changed').waitFor()
  await guest.getByRole('link', { name: 'Sign in' }).click()
  await heading(guest, 'Sign in to Rapport').waitFor()
  await enter(guest, address, 'correct horse')
  await guest.getByText('Wrong email or password').waitFor()
  await enter(guest, address, 'battery staple')
  await heading(guest, 'Home').waitFor()
  expect(new URL(guest.url()).pathname).toBe('/o/hooli')
})
