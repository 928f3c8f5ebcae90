// Common parts of commands about workflows: options, and a lookup by id or name.
import type { Caller } from '../server/base/caller.ts'
import type { WorkflowRow } from '../server/workflows/store.ts'
import { enter, type OrgOptions } from './organization.ts'
import { type CliSession, withSession } from './session.ts'

export const WORKFLOW = ['<name or id>', 'the workflow'] as const

type Work<Result> = (session: CliSession, caller: Caller) => Promise<Result>

/** Runs work as the organization's first owner. */
export const withCaller = <Result>({ org }: OrgOptions, work: Work<Result>): Promise<Result> =>
  withSession(async (opened) => {
    const { session, caller } = await enter(opened, org)
    return work(session, caller)
  })

/** @throws AppError not_found */
export async function workflowOf({ ctx }: CliSession, { org }: Caller, ref: string): Promise<WorkflowRow> {
  const { findByName, getWorkflow } = await import('../server/workflows/store.ts')
  const named = await findByName(ctx.db, org, ref)
  return getWorkflow(ctx.db, org, named?.id ?? ref)
}
