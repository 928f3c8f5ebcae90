// Svix applications, one per organization. An application is created at the first request for the portal, in which
// endpoints are configured.
import type { Logger } from 'pino'
import type { Caller } from '../../base/caller.ts'
import { unavailable } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import type { Svix, SvixAnswer } from './client.ts'
import { getOrganizationName, hasApplication, insertApplication } from './store.ts'

const NOT_FOUND = 404
const CONFLICT = 409

/** Creates the application unless it exists. */
export async function createApplication(
  svix: Svix,
  application: { uid: string; name: string },
  signal?: AbortSignal,
): Promise<SvixAnswer> {
  const created = await svix.createApplication(application, signal)
  // Another process created it between the lookup and the insert of Svix. The second request finds it.
  return created.status === CONFLICT ? svix.createApplication(application, signal) : created
}

type SvixContext = { db: Db; log: Logger }

function away({ log }: SvixContext, problem: string | null): Error {
  log.error({ problem }, 'a request to Svix failed')
  return unavailable('Svix, which delivers webhooks here, does not respond correctly: try again shortly')
}

async function make(ctx: SvixContext, svix: Svix, { org, orgId }: Caller): Promise<void> {
  const name = await getOrganizationName(ctx.db, org)
  const { problem } = await createApplication(svix, { uid: orgId, name })
  if (problem !== null) throw away(ctx, problem)
  await insertApplication(ctx.db, org)
}

function urlIn({ body }: SvixAnswer): string | undefined {
  try {
    const { url } = JSON.parse(body) as { url?: unknown }
    return typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url) ? url : undefined
  } catch {
    return undefined
  }
}

/**
 * A link that opens Svix's portal for the caller's organization, for an hour.
 * Events are sent to Svix from the first call on: before it no endpoint can exist.
 * @throws 503 unavailable
 */
export async function openSvixPortal(ctx: SvixContext, svix: Svix, caller: Caller): Promise<string> {
  if (!(await hasApplication(ctx.db, caller.org))) await make(ctx, svix, caller)
  let opened = await svix.openPortal(caller.orgId)
  if (opened.status === NOT_FOUND) {
    // The application was deleted at Svix.
    await make(ctx, svix, caller)
    opened = await svix.openPortal(caller.orgId)
  }
  const url = opened.problem === null ? urlIn(opened) : undefined
  if (url === undefined) throw away(ctx, opened.problem ?? 'the answer has no URL')
  return url
}
