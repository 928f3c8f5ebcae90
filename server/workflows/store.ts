// Statements about workflows and the versions of their definitions.
import sql, { type Sql } from 'sql-template-tag'
import { isUuid } from '../../contract/common.ts'
import type { Workflow, WorkflowDefinition } from '../../contract/workflows.ts'
import { notFound } from '../base/errors.ts'
import { parseJson } from '../base/json.ts'
import type { Db } from '../db/pool.ts'

export interface WorkflowRow extends Workflow {
  /** Internal number of the object of the workflow. */
  obj: number | null
  /** Microseconds since 1970 of the last change; no two states of a workflow share it. */
  micros: number
  definition: WorkflowDefinition
}

type Row = Omit<WorkflowRow, 'definition'> & { definition: string }

export const workflowEtag = ({ micros }: Pick<WorkflowRow, 'micros'>): string => `"${micros.toString(36)}"`

/** contract/members.ts UserRef of a left joined `users u`; null when the user was deleted. */
export const userRef = sql`
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end`

export const FIRST_ID: Sql = sql`'00000000-0000-0000-0000-000000000000'::uuid`
/** The greatest id that a run can have. */
export const LAST_ID: Sql = sql`'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid`

/**
 * The id of the newest run of workflow `w`. An id of the current time would not work: processes create ids with
 * different clocks, so the next run could have a lower id.
 */
export const lastRun: Sql = sql`
  coalesce((select r.id from workflow_runs r where r.org = w.org and r.workflow = w.id order by r.id desc limit 1),
    ${FIRST_ID})`

/** The definition stays text, so that its numbers keep their digits. */
const columns = sql`
  w.id, w.name, w.description, w.trigger, w.is_enabled as enabled, w.is_paused as "isPaused", w.version, w.created_at as "createdAt",
  w.updated_at as "updatedAt", (extract(epoch from w.updated_at) * 1000000)::bigint as micros, w.obj,
  case when o.obj is not null
    then json_build_object('id', o.id, 'pluralName', o.plural_name, 'slug', o.slug) end as object,
  ${userRef} as "createdBy", v.definition::text as definition`

const tables = sql`
  workflows w
  join workflow_versions v on v.org = w.org and v.workflow = w.id and v.version = w.version
  left join objects o on o.org = w.org and o.obj = w.obj and o.deleted_at is null
  left join users u on u.id = w.created_by`

const withDefinition = (row: Row): WorkflowRow => ({
  ...row,
  definition: parseJson(row.definition) as WorkflowDefinition,
})

/** Oldest first. */
export async function selectWorkflows(db: Db, org: number): Promise<WorkflowRow[]> {
  const rows = await db.many<Row>(sql`
    select ${columns} from ${tables} where w.org = ${org} order by w.created_at, w.id`)
  return rows.map(withDefinition)
}

/** undefined: there is none */
export async function findWorkflow(db: Db, org: number, id: string): Promise<WorkflowRow | undefined> {
  const row = isUuid(id)
    ? await db.maybeOne<Row>(sql`select ${columns} from ${tables} where w.org = ${org} and w.id = ${id}`)
    : undefined
  return row && withDefinition(row)
}

/** @throws 404 not_found */
export async function getWorkflow(db: Db, org: number, id: string): Promise<WorkflowRow> {
  const row = await findWorkflow(db, org, id)
  if (!row) throw notFound('workflow')
  return row
}

/** Locks the workflow until the transaction ends. @throws 404 not_found */
export async function lockWorkflow(tx: Db, org: number, id: string): Promise<WorkflowRow> {
  // Also locks the time zone. Transactions that change it lock the organization first, too.
  await tx.run(sql`select from organizations where org = ${org} for share`)
  // Locks the row in a separate statement, so that joined rows are read with all committed changes.
  if (isUuid(id)) await tx.run(sql`select from workflows where org = ${org} and id = ${id} for no key update`)
  return getWorkflow(tx, org, id)
}

export const findByName = (db: Db, org: number, name: string) =>
  db.maybeOne<{ id: string }>(sql`select id from workflows where org = ${org} and name = ${name}`)

/** Locks the organization, so that its workflows can be counted. */
export async function countForNew(tx: Db, org: number): Promise<number> {
  await tx.run(sql`select from organizations where org = ${org} for no key update`)
  return await tx.value<number>(sql`select count(*) as n from workflows where org = ${org}`)
}

/** Columns that triggers read, derived from the definition. */
export interface TriggerColumns {
  trigger: string
  obj: number | null
  watch: string[] | null
  /** ISO 8601; null: never. */
  nextAt: string | null
}

interface Draft extends TriggerColumns {
  name: string
  description: string
  enabled: boolean
  version: number
}

/** @throws 23505 when the name is taken */
export const insertWorkflow = (
  tx: Db,
  org: number,
  draft: Draft & { id: string; createdBy: string | null },
) =>
  tx.run(sql`
    insert into workflows (org, id, name, description, is_enabled, version, trigger, obj, watch, next_at, created_by)
    values (${org}, ${draft.id}, ${draft.name}, ${draft.description}, ${draft.enabled}, ${draft.version},
      ${draft.trigger}, ${draft.obj}, ${draft.watch}::text[], coalesce(${draft.nextAt}::timestamptz, 'infinity'),
      ${draft.createdBy})`)

interface Update extends Draft {
  id: string
  isPaused: boolean
  /** Keeps the next time of an enabled schedule. */
  keepsTime: boolean
}

/**
 * Updates a locked workflow. After it is enabled, runs that are created later are executed.
 * @throws 23505 when the name is taken
 */
export const updateWorkflow = (tx: Db, org: number, draft: Update) =>
  tx.run(sql`
    update workflows w set name = ${draft.name}, description = ${draft.description}, is_enabled = ${draft.enabled},
      is_paused = ${draft.isPaused},
      cancelled_to = case when ${draft.enabled} and w.cancelled_to = ${LAST_ID} then ${lastRun} else w.cancelled_to end,
      version = ${draft.version}, trigger = ${draft.trigger}, obj = ${draft.obj}, watch = ${draft.watch}::text[],
      next_at = case when ${draft.keepsTime} and ${draft.enabled} and w.next_at < 'infinity' then w.next_at
        else coalesce(${draft.nextAt}::timestamptz, 'infinity') end,
      updated_at = greatest(now(), w.updated_at + interval '1 microsecond')
    where w.org = ${org} and w.id = ${draft.id}`)

interface NewVersion {
  id: string
  version: number
  definition: WorkflowDefinition
  createdBy: string | null
}

export const insertVersion = (tx: Db, org: number, { id, version, definition, createdBy }: NewVersion) =>
  tx.run(sql`
    insert into workflow_versions (org, workflow, version, definition, created_by)
    values (${org}, ${id}, ${version}, ${JSON.stringify(definition)}, ${createdBy})`)

export interface VersionRow {
  version: number
  definition: WorkflowDefinition
  createdAt: string
  createdBy: Workflow['createdBy']
}

const versions = (org: number, condition: Sql) => sql`
  select v.version, v.definition::text as definition, v.created_at as "createdAt", ${userRef} as "createdBy"
  from workflow_versions v left join users u on u.id = v.created_by
  where v.org = ${org} and ${condition}`

type StoredVersion = Omit<VersionRow, 'definition'> & { definition: string }
const readVersion = (row: StoredVersion): VersionRow => ({
  ...row,
  definition: parseJson(row.definition) as WorkflowDefinition,
})

/** @throws 404 not_found */
export async function getWorkflowVersion(
  db: Db,
  org: number,
  { id, version }: { id: string; version: number },
): Promise<VersionRow> {
  const row = await db.maybeOne<StoredVersion>(
    versions(org, sql`v.workflow = ${id} and v.version = ${version}`),
  )
  if (!row) throw notFound('version of this workflow')
  return readVersion(row)
}

const VERSIONS_SHOWN = 200

/** Newest first. */
export async function selectVersions(db: Db, org: number, id: string): Promise<VersionRow[]> {
  const rows = await db.many<StoredVersion>(
    sql`${versions(org, sql`v.workflow = ${id}`)} order by v.version desc limit ${VERSIONS_SHOWN}`,
  )
  return rows.map(readVersion)
}

/** Also deletes its versions and remaining runs. */
export const deleteWorkflowRow = (tx: Db, org: number, id: string) =>
  tx.run(sql`delete from workflows where org = ${org} and id = ${id}`)

/** Deletes up to `limit` runs with their histories. @returns how many */
export const deleteRuns = (db: Db, org: number, { id, limit }: { id: string; limit: number }) =>
  db.run(sql`
    delete from workflow_runs where org = ${org} and id in (
      select id from workflow_runs where org = ${org} and workflow = ${id} order by id limit ${limit})`)

/** Internal number of the object with this id or slug; null: there is none. */
export async function findObj(db: Db, org: number, ref: string): Promise<number | null> {
  const named = isUuid(ref) ? sql`id = ${ref}` : sql`slug = ${ref}`
  return (
    (await db.maybeValue<number>(
      sql`select obj from objects where org = ${org} and deleted_at is null and ${named}`,
    )) ?? null
  )
}

export const getOrganization = (db: Db, org: number) =>
  db.one<{ id: string; name: string; timeZone: string; now: string }>(
    sql`select id, name, time_zone as "timeZone", now() as now from organizations where org = ${org}`,
  )
