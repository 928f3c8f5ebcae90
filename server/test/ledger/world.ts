// Organizations and their endpoints, with the events that each endpoint subscribes to.
import sql from 'sql-template-tag'
import type { EventType } from '../../../contract/events.ts'
import { newId } from '../../base/id.ts'
import type { Context } from '../../context.ts'
import { newSecret, sealSecret } from '../../webhooks/target.ts'
import type { TestService } from '../build-app.ts'
import type { Org } from '../factories.ts'

export interface Hook {
  org: Org
  endpoint: string
  secret: string
  /** null: all types */
  types: readonly EventType[] | null
  /** Restricts record.updated to changes of this attribute; null: all changes. */
  attribute: string | null
}

const WISHES: readonly Pick<Hook, 'types' | 'attribute'>[] = [
  { types: null, attribute: null },
  { types: null, attribute: 'employees' },
  { types: ['record.created', 'record.deleted'], attribute: null },
  { types: ['record.updated'], attribute: null },
  { types: ['record.deleted'], attribute: null },
]

/** Inserts the same rows as the service does for an endpoint; `url` is its address at the receiver. */
async function insertHook(ctx: Context, { org, endpoint, secret, types, attribute }: Hook, url: string) {
  const sealed = sealSecret(ctx.secrets, { org: org.org, id: endpoint }, secret)
  await ctx.db.transaction(async (tx) => {
    await tx.run(
      sql`insert into event_listeners (org, listener) values (${org.org}, 'webhooks') on conflict do nothing`,
    )
    await tx.run(sql`
      insert into webhook_endpoints (org, id, url, description, event_types, changed_attributes, secret)
      values (${org.org}, ${endpoint}, ${url}, '', ${types}, ${attribute === null ? null : [attribute]}, ${sealed})`)
    await tx.run(sql`insert into webhook_lanes (org, endpoint) values (${org.org}, ${endpoint})`)
  })
}

export const wantsAll = ({ types, attribute }: Hook): boolean => types === null && attribute === null

export interface World {
  orgs: readonly Org[]
  hooks: readonly Hook[]
}

/**
 * The path of a hook at the receiver is its index in the list.
 * @param contexts of cells, each of which gets one organization
 */
export async function buildWorld(
  service: TestService,
  receiverUrl: string,
  contexts: readonly Context[] = [service.ctx, service.ctx, service.ctx],
): Promise<World> {
  const orgs: Org[] = []
  for (const ctx of contexts) orgs.push(await service.org({ ctx }))
  const hooks = orgs.flatMap((org) =>
    WISHES.map((wish) => ({ org, endpoint: newId(), secret: newSecret(), ...wish })),
  )
  for (const [place, hook] of hooks.entries()) {
    const ctx = contexts[orgs.indexOf(hook.org)] ?? service.ctx
    await insertHook(ctx, hook, `${receiverUrl}/${place}`)
  }
  return { orgs, hooks }
}

export interface StoredChange {
  org: number
  type: EventType
  /** The slugs of attributes that an update changed. */
  changed: readonly string[] | null
}

/** Whether the hook must get an event. Implemented independently of the service, to check the service. */
export function isFor({ org, types, attribute }: Hook, event: StoredChange): boolean {
  if (event.org !== org.org) return false
  if (types !== null && !types.includes(event.type)) return false
  return attribute === null || event.type !== 'record.updated' || (event.changed ?? []).includes(attribute)
}
