// A new password replaces the session: requests that are refused until the new cookie arrives are sent again.
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { person } from '../../server/identity/visitor.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Sends the request outside the browser, which would store the cookies of the response. */
async function send(route: Route): Promise<Parameters<Route['fulfill']>[0] & { status: number }> {
  const request = route.request()
  const { host: _, 'content-length': __, ...headers } = await request.allHeaders()
  const response = await fetch(request.url(), { method: request.method(), headers, body: request.postData() })
  const cookies = response.headers.getSetCookie()
  return {
    status: response.status,
    headers: {
      'content-type': 'application/json',
      ...(cookies.length > 0 && { 'set-cookie': cookies.join('\n') }),
    },
    body: await response.text(),
  }
}

/** Sends the first request of a path, and holds its response until it is released. */
async function holdResponse(page: Page, path: string) {
  const [isAnswered, release] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()]
  let isFirst = true
  await page.route(`**${path}`, async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    const response = await send(route)
    isAnswered.resolve(response.status)
    await release.promise
    return route.fulfill(response)
  })
  return { status: isAnswered.promise, release: release.resolve }
}

/** @returns the password */
async function openSettings(page: Page): Promise<string> {
  const { name, email, password } = person()
  await page.goto('/sign-up')
  await page.getByLabel('Your name').fill(name)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByLabel('Organization').fill('Tyrell')
  await button(page, 'Create account').click()
  await page.getByRole('link', { name: 'Settings' }).click()
  return password
}

test.each(['before', 'after'])(
  'requests refused during a password change are sent again if the refusal arrives %s the new cookie',
  async (order) => {
    const page = await dashboard.visit()
    await page.getByLabel('Current password').fill(await openSettings(page))
    await page.getByLabel(/^New password/).fill('battery staple')
    const change = await holdResponse(page, '/change-password')
    const rename = await holdResponse(page, '/profile')
    await button(page, 'Change password').click()
    expect(await change.status).toBe(200)
    await page.getByLabel('Name').fill('Ada Byron')
    await button(page, 'Save name').click()
    expect(await rename.status).toBe(401)
    const refused = page.waitForResponse((response) => response.status() === 401)
    if (order === 'before') {
      rename.release()
      await refused
    }
    change.release()
    await page.getByText('Your password was changed').waitFor()
    rename.release()
    await refused
    await button(page, /^Ada Byron/).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  },
)
