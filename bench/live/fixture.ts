// Organizations with records, and members whose sessions follow the organization.
import sql from 'sql-template-tag'
import { newId } from '../../server/base/id.ts'
import type { Context } from '../../server/context.ts'
import { openSession } from '../harness/sessions.ts'
import { fill, makeOrganization } from '../http/fixture.ts'
import { makePeople } from '../http/people.ts'
import type { Audience } from './sessions.ts'

export interface Crowd {
  organizations: number
  /** Sessions of each organization. */
  sessions: number
}

const PEOPLE = 200
const AT_ONCE = 20

async function addMember(ctx: Context, slug: string): Promise<string> {
  const userId = newId()
  await ctx.db.run(
    sql`insert into users (id, name, email, email_verified)
      values (${userId}, 'Max Member', ${`${userId}@example.com`}, true)`,
  )
  await ctx.db.run(sql`
    insert into members (id, organization_id, user_id, role)
    select ${newId()}, id, ${userId}, 'member' from organizations where slug = ${slug}`)
  return openSession(ctx, userId)
}

async function addMembers(ctx: Context, slug: string, count: number): Promise<string[]> {
  const cookies: string[] = []
  while (cookies.length < count) {
    const next = Math.min(AT_ONCE, count - cookies.length)
    cookies.push(...(await Promise.all(Array.from({ length: next }, () => addMember(ctx, slug)))))
  }
  return cookies
}

let made = 0

/** Makes the organizations in the database of `ctx`, and their records through the API at `url`. */
export async function makeAudiences(ctx: Context, url: string, crowd: Crowd): Promise<Audience[]> {
  const audiences: Audience[] = []
  for (let nr = 0; nr < crowd.organizations; nr++) {
    const index = made++
    const organization = await makeOrganization(ctx, index)
    const { personIds } = await fill(url, organization, makePeople(PEOPLE))
    const slug = `bench-${index}`
    const cookies = await addMembers(ctx, slug, crowd.sessions)
    audiences.push({ slug, key: organization.keys[0] ?? '', personIds, cookies })
  }
  return audiences
}
