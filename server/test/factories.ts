// Organizations for tests, and requests with their keys.
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '../../contract/errors.ts'
import type { CrmRecord } from '../../contract/records.ts'
import type { Role } from '../../contract/roles.ts'
import type { Scope } from '../../contract/scopes.ts'
import { newId } from '../base/id.ts'
import type { Context } from '../context.ts'
import { createKey } from '../identity/api-keys/service.ts'
import { seedStandardObjects } from '../model/objects/standard.ts'
import {
  type Reply,
  type Requests,
  requestsWith,
  type SignedInMember,
  signInMember,
} from './dashboard-client.ts'

export interface OrgOptions {
  /** Unset: full access. */
  scopes?: readonly Scope[]
  name?: string
}

type Inject = (options: InjectOptions) => Promise<Response>

/** The author of changes that the service itself makes in an organization. */
export const authorOf = ({ org }: Pick<Org, 'org'>) => ({ org, userId: null, keyId: null })

export interface Org extends Requests {
  id: string
  org: number
  userId: string
  key: string
  keyId: string
  /** Events written so far, oldest first. */
  events(): Promise<StoredEvent[]>
  /** Emails with data of this organization that an operator has to send, oldest first. */
  mail(): Promise<StoredMail[]>
  /** A new user with this role, signed in to the dashboard. */
  member(role: Role): Promise<SignedInMember>
  members<const Roles extends readonly Role[]>(
    ...roles: Roles
  ): Promise<{ -readonly [Place in keyof Roles]: SignedInMember }>
  /** A second key of the same organization. */
  keyWith(scopes: readonly Scope[]): Promise<string>
}

export interface StoredMail {
  recipient: string
  subject: string
  body: string
}

export interface StoredEvent {
  type: string
  subject: string
  data: Record<string, unknown>
  changes: Record<string, { from: unknown; to: unknown }> | null
}

const events = (ctx: Context, org: number) =>
  ctx.db.many<StoredEvent>(
    sql`select type, subject, data, changes from events where org = ${org} order by id`,
  )

const mail = (ctx: Context, organizationId: string) =>
  ctx.directory.many<StoredMail>(sql`
    select recipient, subject, body from outgoing_mail where organization_id = ${organizationId} order by id`)

/** Rows written directly: better-auth's password hashing would cost every test a tenth of a second. */
async function insertOrganization(
  ctx: Context,
  name: string,
): Promise<{ id: string; org: number; userId: string }> {
  const [id, userId] = [newId(), newId()]
  return ctx.directory.transaction(async (tx) => {
    const { org } = await tx.one<{ org: number }>(
      sql`insert into organizations (id, cell, name, slug) values (${id}, ${ctx.cell}, ${name}, ${`org-${id}`}) returning org`,
    )
    await tx.run(
      sql`insert into users (id, name, email, email_verified)
        values (${userId}, 'Olivia Owner', ${`owner-${userId}@example.com`}, true)`,
    )
    await tx.run(
      sql`insert into members (id, organization_id, user_id, role) values (${newId()}, ${id}, ${userId}, 'owner')`,
    )
    await ctx.cells.seed(tx, { id, cell: ctx.cell }, (inCell) =>
      seedStandardObjects(inCell, org).then(() => undefined),
    )
    return { id, org, userId }
  })
}

export async function buildOrg(
  ctx: Context,
  inject: Inject,
  { scopes, name = 'Acme' }: OrgOptions = {},
): Promise<Org> {
  const { id, org, userId } = await insertOrganization(ctx, name)
  const keyWith = async (granted: readonly Scope[] | null) => {
    const created = await createKey(ctx, org, { name: 'test', scopes: granted, createdBy: userId })
    await ctx.cells.copy()
    return created
  }
  const { key, id: keyId } = await keyWith(scopes ?? null)
  const member = (role: Role) => signInMember(ctx, inject, { orgId: id, role })
  return {
    id,
    org,
    userId,
    key,
    keyId,
    ...requestsWith(inject, { authorization: `Bearer ${key}` }, '/api/v1'),
    events: () => events(ctx, org),
    mail: () => mail(ctx, id),
    member,
    async members<const Roles extends readonly Role[]>(...roles: Roles) {
      const made: SignedInMember[] = []
      for (const role of roles) made.push(await member(role))
      return made as { -readonly [Place in keyof Roles]: SignedInMember }
    },
    keyWith: async (granted) => (await keyWith(granted)).key,
  }
}

export interface Team {
  org: Org
  admin: SignedInMember
  mia: SignedInMember
  max: SignedInMember
}

/** An organization with an admin and two members. */
export async function buildTeam(service: { org(): Promise<Org> }): Promise<Team> {
  const org = await service.org()
  const [admin, mia, max] = await org.members('admin', 'member', 'member')
  return { org, admin, mia, max }
}

/** Expects the status. @returns the body, which a failed comparison shows too */
export function bodyOf<Body>({ status, body }: Pick<Reply<Body>, 'status' | 'body'>, expected = 200): Body {
  expect({ status, body }).toEqual({ status: expected, body })
  return body
}

/** Creates a record over the API. @param object slug or id of its object */
export const createRecord = async (
  by: Pick<Requests, 'post'>,
  object: string,
  data: object,
  headers?: Record<string, string>,
): Promise<CrmRecord> =>
  bodyOf(await by.post<CrmRecord>(`/objects/${object}/records`, { data }, headers), 201)

/** Expects the documented error: its status, its code, a sentence, a request id. */
export function expectError(reply: Reply<object>, code: ErrorCode): void {
  const body = reply.body as Partial<ErrorBody>
  expect({ status: reply.status, error: body.error }).toEqual({ status: ERROR_STATUS[code], error: code })
  expect(body.message).toEqual(expect.any(String))
  expect(body.requestId).toBe(reply.headers['x-request-id'])
}
