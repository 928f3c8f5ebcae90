// The greeting on the home page, by the time zone of the organization; the page itself uses the browser's time zone.
import { dayFormat, greeting } from '../../contract/greeting.ts'
import type { Session } from '../../contract/session.ts'
import { bar, escaped, type FirstAddress, type ReadFirst } from './first-text.ts'

const hourIn = (timeZone: string) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(new Date()))

/** @returns undefined if the visitor is not a member */
export async function firstHome(read: ReadFirst, { api }: FirstAddress): Promise<string | undefined> {
  const { session } = ((await read('/dashboard/api/visitor')) ?? {}) as { session?: Session | null }
  const organization = session?.organizations.find(({ slug }) => api.endsWith(`/${slug}`))
  if (!session || !organization) return undefined
  const text = greeting(hourIn(organization.timeZone), session.user.name)
  const day = dayFormat(organization.timeZone).format(new Date())
  return `${bar('Home')}<div class="shell-home">${escaped(text)}<br><small>${escaped(day)}</small></div>`
}
