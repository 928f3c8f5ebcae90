import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { person } from '../../server/identity/visitor.fixture.ts'
import { axeViolations } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { interceptFirst } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()
const { directory: db } = dashboard.service.ctx

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })

async function signUp(page: Page) {
  const someone = person()
  await page.goto('/sign-up')
  await page.getByLabel('Your name').fill(someone.name)
  await page.getByRole('textbox', { name: 'Email' }).fill(someone.email)
  await page.getByLabel(/^Password/).fill(someone.password)
  await page.getByLabel('Organization').fill('Acme')
  await button(page, 'Create account').click()
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  return someone
}

const endSessionsOf = (email: string) =>
  db.run(sql`delete from sessions where user_id = (select id from users where email = ${email})`)

/** Ends the session during the next request to the path. The live stream may notice the end at any time. */
const endWithRequest = (page: Page, path: string, email: string) =>
  interceptFirst(page, `**${path}`, async (route) => {
    await endSessionsOf(email)
    await route.continue()
  })

/** Collects responses that say that there is no session. */
function refusals(page: Page): string[] {
  const urls: string[] = []
  page.on('response', (response) => {
    if (response.status() === 401) urls.push(response.url())
  })
  return urls
}

const signInAgain = async (page: Page, password: string) => {
  await dialog(page)
    .getByLabel(/^Password/)
    .fill(password)
  await button(page, 'Sign in').click()
}

test('an ended session shows one dialog; typed text is kept, and saved after signing in again', async () => {
  const page = await dashboard.visit()
  const { email, password } = await signUp(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Name').fill('Ada Byron')
  await endWithRequest(page, '/profile', email)
  await button(page, 'Save name').click()
  await dialog(page).waitFor()
  await page.keyboard.press('Escape')
  expect(await axeViolations(page)).toEqual([])
  await signInAgain(page, 'wrong horse')
  await dialog(page).getByText('Wrong email or password').waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
  await signInAgain(page, password)
  await dialog(page).waitFor({ state: 'detached' })
  await button(page, /^Ada Byron/).waitFor()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada Byron')
})

test('after signing in again, the focus is where it was', async () => {
  const page = await dashboard.visit()
  const { email, password } = await signUp(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  const current = page.getByLabel('Current password')
  await current.fill('not it at all')
  await page.getByLabel(/^New password/).fill('battery staple')
  await endWithRequest(page, '/change-password', email)
  // The button is disabled while its request waits.
  await button(page, 'Change password').press('Enter')
  await dialog(page).waitFor()
  await signInAgain(page, password)
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByText('This is not your password').waitFor()
  await button(page, 'Change password').and(page.locator(':focus')).waitFor()

  await current.focus()
  await endSessionsOf(email)
  await dialog(page).waitFor()
  await signInAgain(page, password)
  await dialog(page).waitFor({ state: 'detached' })
  await current.and(page.locator(':focus')).waitFor()
})

test('no requests are sent while the session has ended, for any length of time', async () => {
  const page = await dashboard.visit(undefined, { own: {} })
  await page.clock.install()
  const { email, password } = await signUp(page)
  await page.clock.runFor(1000)
  await endSessionsOf(email)
  const refused = refusals(page)
  await page.clock.runFor(10 * 60_000)
  await dialog(page).waitFor()
  const before = refused.length
  await page.clock.runFor(60 * 60_000)
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await signInAgain(page, password)
  await dialog(page).waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  expect(refused.length).toBe(before)
})

test('signing in again in another tab continues this tab', async () => {
  const page = await dashboard.visit()
  const { email, password } = await signUp(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Name').fill('Ada Byron')
  await endWithRequest(page, '/profile', email)
  await button(page, 'Save name').click()
  await dialog(page).waitFor()
  const other = await page.context().newPage()
  await other.goto('/sign-in')
  await other.getByRole('textbox', { name: 'Email' }).fill(email)
  await other.getByLabel(/^Password/).fill(password)
  await button(other, 'Sign in').click()
  await other.getByRole('heading', { name: 'Home' }).waitFor()
  await page.bringToFront()
  await page.evaluate("window.dispatchEvent(new Event('focus'))")
  await dialog(page).waitFor({ state: 'detached' })
  await button(page, /^Ada Byron/).waitFor()
})

const kept = (page: Page) => page.evaluate<string>('Object.values(sessionStorage).join()')

async function typedName(page: Page) {
  const { email } = await signUp(page)
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Name').fill('Ada Byron')
  await expect.poll(() => kept(page)).toContain('Ada Byron')
  return email
}

/** Waits for a reload, which happens automatically or after the action. */
async function loadsAgain(page: Page, cause: () => Promise<unknown>, act: () => Promise<unknown>) {
  const loaded = page.waitForEvent('load')
  await cause()
  // If the page is already reloading, the element of the action may not exist any more.
  void act().catch(() => undefined)
  await loaded
}

test('another user who signs in after the session has ended finds no drafts', async () => {
  const page = await dashboard.visit(undefined, { own: {} })
  await endWithRequest(page, '/profile', await typedName(page))
  await button(page, 'Save name').click()
  await dialog(page).waitFor()
  const signUpInAnotherTab = async () => signUp(await page.context().newPage())
  await loadsAgain(page, signUpInAnotherTab, () => page.evaluate("window.dispatchEvent(new Event('focus'))"))
  await expect.poll(() => kept(page)).not.toContain('Ada Byron')
})

test('another user who signs in while a page is open finds no drafts there', async () => {
  const page = await dashboard.visit(undefined, { own: {} })
  await typedName(page)
  const other = await (await dashboard.service.org()).member('member')
  // In one step: a request without a session in between would open the dialog to sign in again.
  await loadsAgain(
    page,
    () => dashboard.signIn(page, other),
    () => page.getByRole('link', { name: 'Home' }).click(),
  )
  await expect.poll(() => kept(page)).not.toContain('Ada Byron')
})

test('"Sign in as another user" deletes all drafts', async () => {
  const page = await dashboard.visit()
  await endWithRequest(page, '/profile', await typedName(page))
  await button(page, 'Save name').click()
  await dialog(page).getByRole('link', { name: 'Sign in as another user' }).click()
  await page.getByRole('textbox', { name: 'Email' }).waitFor()
  expect(await kept(page)).not.toContain('Ada Byron')
})
