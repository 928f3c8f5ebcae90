// Visitors who are not signed in, for tests. Each has a separate address, because attempts count per address.
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { TestService } from '../test/build-app.ts'
import type { Reply } from '../test/dashboard-client.ts'
import { dashboardRequests, type Requests } from '../test/dashboard-client.ts'

let addresses = 0

export const newAddress = () => `198.51.100.${++addresses}`

/** @param address attempts from one address count together */
export const visitor = (
  { inject }: Pick<TestService, 'inject'>,
  { address = newAddress(), cookie }: { address?: string; cookie?: string } = {},
): Requests =>
  dashboardRequests((options) => inject({ ...options, remoteAddress: address }), '/dashboard/api', cookie)

/** Every Set-Cookie header of an answer, as a browser would send it back. */
export const setCookies = ({ headers }: Reply<object>): string[] => [headers['set-cookie'] ?? []].flat()

export const cookieOf = (reply: Reply<object>): string =>
  setCookies(reply)
    .map((header) => header.split(';')[0])
    .join('; ')

let people = 0

/** A new person without an account. */
export const person = () => ({
  name: 'Ada Lovelace',
  email: `ada-${++people}@example.com`,
  password: 'correct horse',
})

interface KeptText {
  subject: string
  body: string
}

/** The newest message to an address with a matching subject; waits until there is one. */
export async function mailTo({ ctx }: TestService, email: string, subject: RegExp): Promise<string> {
  const newest = () =>
    ctx.directory.many<KeptText>(
      sql`select subject, body from outgoing_mail where recipient = ${email} order by created_at desc, id desc`,
    )
  const found = async () => (await newest()).find((mail) => subject.test(mail.subject))
  await expect.poll(found, { interval: 20 }).toBeDefined()
  return (await found())?.body ?? ''
}

/** The secret in the link of a message. */
export const tokenIn = (text: string): string => /[/=]([\w-]{20,})$/m.exec(text)?.[1] ?? ''
