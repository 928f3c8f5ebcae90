import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { mailTo, person } from '../../server/identity/visitor.fixture.ts'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { openDashboard } from './open-dashboard.ts'

const dashboard = await openDashboard()

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })

/** The path of the link in a message, whose origin may differ from that of the test service. */
function linkIn(text: string): string {
  const { pathname, search } = new URL(/^http\S+$/m.exec(text)?.[0] ?? '')
  return pathname + search
}

async function signUp(page: Page, organization: string) {
  const { name, email, password } = person()
  await page.goto('/sign-up')
  await page.getByLabel('Your name').fill(name)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByLabel('Organization').fill(organization)
  await button(page, 'Create account').click()
  await heading(page, 'Home').waitFor()
  return { name, email, password }
}

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await button(page, 'Sign in').click()
}

/** Follows the link in the message sent after sign-up. */
async function confirmEmail(page: Page, email: string) {
  await page.goto(linkIn(await mailTo(dashboard.service, email, /^Confirm your/)))
  await button(page, 'Confirm').click()
  await heading(page, 'Your email address is confirmed').waitFor()
  await page.getByRole('link', { name: 'Open Rapport' }).click()
  await heading(page, 'Home').waitFor()
}

const banner = (page: Page) => page.getByRole('complementary', { name: 'Email address not confirmed' })

const settings = (page: Page) => page.getByRole('navigation', { name: 'Settings' })

test('sign up, invite, join, and the limits of a member', async () => {
  const owner = await dashboard.visit()
  await confirmEmail(owner, (await signUp(owner, 'Hooli')).email)
  await owner.getByRole('link', { name: 'Settings' }).click()
  await settings(owner).getByRole('link', { name: 'Members' }).click()
  await button(owner, 'Invite').click()
  const { email, password } = person()
  await owner.getByRole('textbox', { name: 'Email' }).fill(email)
  await button(owner, 'Send invitation').click()
  await owner.getByText('This installation does not send email').waitFor()
  await button(owner, 'Done').click()
  await owner.getByRole('row', { name: new RegExp(email) }).waitFor()

  const member = await dashboard.open(linkIn(await mailTo(dashboard.service, email, /Hooli/)))
  await heading(member, 'Join Hooli').waitFor()
  expect(await axeViolations(member)).toEqual([])
  await member.getByLabel('Your name').fill('Bob Newcomer')
  await member.getByLabel(/^Password/).fill(password)
  await button(member, 'Create account and join').click()
  await heading(member, 'Home').waitFor()
  await member.getByRole('link', { name: 'Settings' }).click()
  await settings(member).getByRole('link', { name: 'Members' }).click()
  await member.getByText('Only owners and admins can invite members').waitFor()
  await expect.poll(() => button(member, 'Invite').count()).toBe(0)
  await expect.poll(() => button(member, 'Remove Ada Lovelace').getAttribute('aria-disabled')).toBe('true')
  await settings(member).getByRole('link', { name: 'API keys' }).click()
  await member.getByText('API keys are for owners and admins').waitFor()

  await owner.reload()
  await owner.getByRole('row', { name: /Bob Newcomer/ }).waitFor()
})

test('a banner says what an unconfirmed address locks, creates a link, and disappears when confirmed', async () => {
  const page = await dashboard.visit()
  const { email } = await signUp(page, 'Vandelay')
  await banner(page).getByText('Confirm your email address to invite people and send email.').waitFor()
  await banner(page).getByText('The link is in the terminal where npm start runs').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await button(page, 'Create a new link').click()
  await page.getByText(`A new link was created for ${email}`).waitFor()
  await confirmEmail(page, email)
  await expect.poll(() => banner(page).count()).toBe(0)
})

test('an invitation says who it is for, and whether it was cancelled or is invalid', async () => {
  const org = await dashboard.service.org({ name: 'Pied Piper' })
  const owner = await org.member('owner')
  const guest = await org.member('member')
  const { body } = await owner.post<{ inviteUrl: string; id: string }>('/invitations', {
    email: 'someone.else@example.com',
    role: 'admin',
  })
  const { pathname } = new URL(body.inviteUrl)
  const page = await dashboard.open(pathname, guest)
  await page.getByText(`You are signed in as ${guest.email}`).waitFor()
  await button(page, 'Sign out and continue').click()
  await heading(page, 'Sign in to Rapport').waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe(pathname)
  await owner.delete(`/invitations/${body.id}`)
  await page.goto(pathname)
  await heading(page, 'This invitation was cancelled').waitFor()
  await page.goto('/invitation/mistyped')
  await heading(page, 'This invitation is not valid').waitFor()
  expect(await axeViolations(page)).toEqual([])
})

/** Fakes the language and time zone of the browser before any script runs. */
const BROWSER = `
  Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })
  const { resolvedOptions } = Intl.DateTimeFormat.prototype
  Intl.DateTimeFormat.prototype.resolvedOptions = function () {
    return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' }
  }`

test('a user whose browser has no valid language or time zone signs up, and creates another organization', async () => {
  const page = await dashboard.visit(undefined, { own: {} })
  await page.addInitScript(BROWSER)
  const { email } = await signUp(page, 'Stark Industries')
  await confirmEmail(page, email)
  await page.goto('/new-organization')
  await page.getByText('United States, USD, UTC.').waitFor()
  await page.getByLabel('Name').fill('Wayne Enterprises')
  await button(page, 'Create organization').click()
  await button(page, /Wayne Enterprises/).waitFor()
})

test('a forgotten password is replaced by the link in the email, which works once', async () => {
  const page = await dashboard.visit()
  const { email } = await signUp(page, 'Massive Dynamic')
  await button(page, /profile and appearance/).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await heading(page, 'Forgot your password?').waitFor()
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await button(page, 'Send link').click()
  await page.getByText('This installation does not send email').waitFor()
  const link = linkIn(await mailTo(dashboard.service, email, /Reset/))
  await page.goto(link)
  await page.getByLabel(/^New password/).fill('battery staple')
  await button(page, 'Change password').click()
  await heading(page, 'Your password was changed').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, { email, password: 'correct horse' })
  await page.getByText('Wrong email or password').waitFor()
  await signIn(page, { email, password: 'battery staple' })
  await heading(page, 'Home').waitFor()
  await page.goto(link)
  await page.getByLabel(/^New password/).fill('another one')
  await button(page, 'Change password').click()
  await heading(page, 'This link is no longer valid').waitFor()
})

test('changing the password ends the other sessions', async () => {
  const page = await dashboard.visit()
  const account = await signUp(page, 'Umbrella')
  const elsewhere = await dashboard.open('/sign-in')
  await signIn(elsewhere, account)
  await heading(elsewhere, 'Home').waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  const sessions = page.getByRole('region', { name: 'Sessions' })
  await expect.poll(() => sessions.getByRole('row').count()).toBe(3)
  await page.getByLabel('Current password').fill('not it at all')
  await page.getByLabel(/^New password/).fill('battery staple')
  await button(page, 'Change password').click()
  await page.getByText('This is not your password').waitFor()
  await page.getByLabel('Current password').fill(account.password)
  await button(page, 'Change password').click()
  await page.getByText('Your password was changed').waitFor()
  await expect.poll(() => sessions.getByRole('row').count()).toBe(2)
  await elsewhere.reload()
  await heading(elsewhere, 'Sign in to Rapport').waitFor()
})

test('a user creates a second organization; a user without one is offered to create the first', async () => {
  const page = await dashboard.visit()
  await confirmEmail(page, (await signUp(page, 'Cyberdyne')).email)
  await page.goto('/new-organization')
  await page.getByLabel('Name').fill('Skynet')
  await button(page, 'Create organization').click()
  await button(page, /Skynet/).waitFor()
  const org = await dashboard.service.org()
  await org.member('owner')
  const leaver = await org.member('admin')
  const leaverPage = await dashboard.open(`/o/org-${org.id}/settings/members`, leaver)
  await button(leaverPage, 'Leave the organization').click()
  await leaverPage.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await heading(leaverPage, 'Create your first organization').waitFor()
  expect(await axeViolations(leaverPage)).toEqual([])
})

test('refusals are shown in the form', async () => {
  const org = await dashboard.service.org()
  const { email } = await org.member('member')
  const page = await dashboard.open('/sign-up')
  await page.getByLabel('Your name').fill('Ada')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel(/^Password/).fill('password')
  await page.getByLabel('Organization').fill('Again')
  await button(page, 'Create account').click()
  await page.getByText('This password is on the list of most used ones').waitFor()
  await page.getByLabel(/^Password/).fill('correct horse')
  await button(page, 'Create account').click()
  await page.getByText('An account with this email already exists').waitFor()
})

test('after too many attempts, the page says how long to wait', async () => {
  const page = await dashboard.visit()
  await page.route('**/dashboard/api/sign-in', (route) =>
    route.fulfill({
      status: 429,
      json: { error: 'rate_limit_exceeded', message: 'Too many requests', details: { retryAfter: 43 } },
    }),
  )
  await page.goto('/sign-in')
  await signIn(page, person())
  await page.getByText('Too many attempts. Wait 43 seconds, then try again.').waitFor()
})

test('pages before the sign-in are accessible and fit the screen', async () => {
  const page = await dashboard.visit()
  for (const path of [
    '/sign-in',
    '/sign-up',
    '/forgot-password',
    '/reset-password?token=a',
    '/reset-password',
    '/verify-email?token=a',
    '/verify-email',
  ]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Loading' }).waitFor()
    for (const width of [1440, 1024, 375]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await axeViolationsInBothSchemes(page), path).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width)
    }
  }
})
