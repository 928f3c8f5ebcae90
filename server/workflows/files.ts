// Workflows as files: contract/workflows.ts WorkflowFile.
import { type Static, Type } from 'typebox'
import type { Problem } from '../../contract/errors.ts'
import { type WorkflowDefinition, WorkflowFile } from '../../contract/workflows.ts'
import type { Caller } from '../base/caller.ts'
import { invalid, invalidField } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { shapeCheck } from '../http/validate.ts'
import type { Queue } from '../jobs/queue.ts'
import { type Checker, checkAny, definitionProblems, readDefinition } from './checking.ts'
import { createWorkflow, patchWorkflow, saveDefinition } from './service.ts'
import { findByName, findWorkflow, type WorkflowRow } from './store.ts'

/** The fields that are not part of the definition. */
const Head = Type.Pick(WorkflowFile, ['id', 'name', 'description', 'enabled', 'version'])
type Head = Static<typeof Head>
const headProblems = shapeCheck(Head)

interface Parts {
  head: Head
  definition: WorkflowDefinition
}

function split(input: unknown): { head: unknown; definition: unknown } {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalidField('', 'type', 'The file must be an object, as rapport workflows get prints one')
  const entries = Object.entries(input)
  const isHead = ([name]: [string, unknown]) => Object.hasOwn(Head.properties, name)
  return {
    head: Object.fromEntries(entries.filter(isHead)),
    definition: Object.fromEntries(entries.filter((entry) => !isHead(entry))),
  }
}

/** @throws 400 validation_error */
function readFile(input: unknown): Parts {
  const { head, definition } = split(input)
  const problems = headProblems(head)
  if (problems.length > 0) throw invalid('validation_error', problems)
  return { head: head as Head, definition: readDefinition(definition) }
}

/** All problems of a file of any shape. */
export async function fileProblems(db: Db, checker: Checker, input: unknown): Promise<Problem[]> {
  const { head, definition } = split(input)
  return [...headProblems(head), ...(await checkAny(db, checker, definition))]
}

/** The workflow with the id of the file, or with its name; undefined: the workflow is new. */
async function findEarlier(db: Db, org: number, { id, name }: Head): Promise<WorkflowRow | undefined> {
  const byId = id === undefined ? undefined : await findWorkflow(db, org, id)
  if (byId) return byId
  const byName = await findByName(db, org, name)
  return byName && findWorkflow(db, org, byName.id)
}

export interface PutResult {
  id: string
  version: number
  /** For a disabled workflow: the problems that prevent enabling it. */
  problems: Problem[]
}

type Writer = Pick<Caller, 'org' | 'userId' | 'scopes'>

async function change(
  ctx: { db: Db; queue: Queue },
  writer: Writer,
  { id: workflowId }: WorkflowRow,
  { head, definition }: Parts,
): Promise<PutResult> {
  const patch = (wanted: object) =>
    patchWorkflow(ctx, writer, { workflowId, ifMatch: undefined, patch: wanted })
  // Disabled before the definition is replaced, enabled after it.
  if (head.enabled === false) await patch({ enabled: false })
  const { version, problems } = await saveDefinition(ctx, writer, { workflowId, definition })
  const { name, description, enabled } = head
  await patch({ name, ...(description !== undefined && { description }), ...(enabled && { enabled }) })
  return { id: workflowId, version, problems }
}

/**
 * Creates the workflow, or changes the workflow with the id or name of the file, in one transaction.
 * @throws 400 validation_error naming all problems, 409 name_taken, limit_reached
 */
export function putWorkflow(
  ctx: { db: Db; queue: Queue },
  writer: Writer,
  input: unknown,
  { enable }: { enable: boolean },
): Promise<PutResult> {
  const { head, definition } = readFile(input)
  const parts = { head: enable ? { ...head, enabled: true } : head, definition }
  return ctx.db.transaction(async (tx) => {
    const earlier = await findEarlier(tx, writer.org, head)
    if (earlier) return change({ ...ctx, db: tx }, writer, earlier, parts)
    const { id: _, version: __, ...fields } = parts.head
    const { id, version } = await createWorkflow({ db: tx }, writer, { ...fields, definition })
    return { id, version, problems: await definitionProblems(tx, writer, definition) }
  })
}

/** The file of a workflow, as `putWorkflow` accepts it. */
export const fileOf = ({
  id,
  name,
  description,
  enabled,
  version,
  definition,
}: WorkflowRow): WorkflowFile => ({
  id,
  name,
  ...(description !== '' && { description }),
  enabled,
  version,
  ...definition,
})
