// The demo organization. The first start makes it completely or not at all, and shows its secrets once.
import { randomBytes } from 'node:crypto'
import { mentionOf } from '../../contract/mentions.ts'
import type { Caller } from '../base/caller.ts'
import { createComment } from '../comments/service.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { startSearch } from '../duplicates/search/service.ts'
import { createKey } from '../identity/api-keys/service.ts'
import type { Auth } from '../identity/auth.ts'
import { getFirstOwner, insertMember } from '../identity/members/store.ts'
import { createOrganization, getOrganization } from '../identity/service.ts'
import { deleteUserWithoutMemberships, type StoredOrganization } from '../identity/store.ts'
import { createModels } from '../model/attributes/models.ts'
import { seedStandardObjects } from '../model/objects/standard.ts'
import { searchRecords } from '../records/read/service.ts'
import { runReports } from './automation.ts'
import { fillDemo } from './content.ts'
import {
  findUnannounced,
  findUserId,
  hasOrganization,
  insertColleague,
  markAnnounced,
  markUnannounced,
  type UnannouncedDemo,
} from './store.ts'

export const DEMO_EMAIL = 'demo@example.com'

/** Members without a password. They own records and tasks, but cannot sign in. */
const COLLEAGUES = [
  { name: 'Nora Fields', email: 'nora.fields@example.com' },
  { name: 'Tomás Reyes', email: 'tomas.reyes@example.com' },
]

/** What a person needs to use the demo organization. */
export interface DemoAccess {
  email: string
  password: string
  key: string
  /** To be called when the access was shown. Until then, every start makes a new password and key. */
  confirm(): Promise<void>
}

const newPassword = () => randomBytes(12).toString('base64url')

/** @returns the user ids of the colleagues */
async function addColleagues(tx: Db, orgId: string): Promise<string[]> {
  const ids = []
  for (const colleague of COLLEAGUES) {
    const userId = await insertColleague(tx, colleague)
    await insertMember(tx, orgId, { userId, role: 'member' })
    ids.push(userId)
  }
  return ids
}

interface Found {
  records: { id: string }[]
}

/** Adds a colleague's comment to the latest proposal. It mentions the owner, in whose inbox it is unread. */
async function addComment(ctx: Context, owner: Caller, colleague: string | undefined): Promise<void> {
  const filter = { attributeSlug: 'stage', operator: 'equals', value: 'Proposal' } as const
  const found: Found = JSON.parse(
    await searchRecords(ctx, owner, 'deals', { filter, limit: 1, count: false }),
  )
  const [deal] = found.records
  if (!deal || colleague === undefined) return
  const text = `${mentionOf(owner.userId)} they have read the proposal and ask for a call this week. Can you take it?`
  await createComment(
    ctx,
    { ...owner, userId: colleague },
    { objectId: 'deals', recordId: deal.id },
    { text },
  )
}

/** Adds standard objects and content, in the transaction that makes the organization. */
async function fill(ctx: Context, tx: Db, organization: StoredOrganization): Promise<void> {
  const { org, id: orgId, country, currency } = organization
  await seedStandardObjects(tx, org)
  const userId = await getFirstOwner(tx, orgId)
  // The service's cache must not get models of an organization that may still be rolled back.
  const inside = { ...ctx, db: tx, models: createModels() }
  const caller = { org, orgId, userId, keyId: null, country, currency }
  const colleagues = await addColleagues(tx, orgId)
  await fillDemo(inside, caller, colleagues)
  await addComment(inside, caller, colleagues[0])
  await markUnannounced(tx, orgId)
}

/** Deletes the user of a killed start, because the user's password is lost. */
async function forgetLeftUser(db: Db): Promise<void> {
  const left = await findUserId(db, DEMO_EMAIL)
  if (left !== undefined) await deleteUserWithoutMemberships(db, left)
}

async function makeDemo(ctx: Context, auth: Auth): Promise<void> {
  await forgetLeftUser(ctx.db)
  await createOrganization(
    {
      ...ctx,
      auth,
      seedStandardObjects: (tx, organization) => fill(ctx, tx, organization),
    },
    {
      name: 'Rapport Demo',
      owner: { name: 'Demo Owner', email: DEMO_EMAIL, password: newPassword() },
    },
  )
}

async function setPassword(auth: Auth, userId: string, password: string): Promise<void> {
  const context = await auth.context
  await context.internalAdapter.updatePassword(userId, await context.password.hash(password))
}

async function handOver(ctx: Context, auth: Auth, demo: UnannouncedDemo): Promise<DemoAccess> {
  const { country, currency } = await getOrganization(ctx, demo.id)
  const caller = { org: demo.org, orgId: demo.id, userId: demo.ownerId, keyId: null, country, currency }
  await runReports(ctx, caller)
  for (const object of ['companies', 'people']) await startSearch(ctx, caller, object)
  const password = newPassword()
  await setPassword(auth, demo.ownerId, password)
  const { key } = await createKey(ctx, demo.org, { name: 'Demo', scopes: null, createdBy: demo.ownerId })
  return {
    email: DEMO_EMAIL,
    password,
    key,
    confirm: async () => {
      await markAnnounced(ctx.db, demo.id)
    },
  }
}

/**
 * Makes the demo organization if there is no organization. `ctx.db` is the pool.
 * @returns the access, if it was not shown yet; else undefined
 */
export async function openDemo(ctx: Context, openAuth: () => Promise<Auth>): Promise<DemoAccess | undefined> {
  const isNew = !(await hasOrganization(ctx.db))
  const waiting = isNew ? undefined : await findUnannounced(ctx.db)
  if (!isNew && !waiting) return undefined
  const auth = await openAuth()
  if (isNew) await makeDemo(ctx, auth)
  const demo = waiting ?? (await findUnannounced(ctx.db))
  return demo && handOver(ctx, auth, demo)
}
