// Definitions of workflows by version. Versions never change, except that an erasure empties texts of older versions, so
// they can be cached.
import sql from 'sql-template-tag'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'

export interface VersionKey {
  org: number
  workflow: string
  version: number
}

/** Limit for the JSON texts of cached definitions. The parsed definitions take several times as much memory. */
const CACHED_CHARS_MAX = 16_000_000
const cache = new Map<string, WorkflowDefinition>()
let cachedChars = 0

function keep(row: Row, definition: WorkflowDefinition): void {
  if (cachedChars + row.definition.length > CACHED_CHARS_MAX) {
    cache.clear()
    cachedChars = 0
  }
  cachedChars += row.definition.length
  cache.set(keyOf(row), definition)
}

const keyOf = ({ org, workflow, version }: VersionKey) => `${org}/${workflow}/${version}`

type Row = VersionKey & { definition: string }

const select = (db: Db, wanted: readonly VersionKey[]) =>
  db.many<Row>(sql`
    select v.org, v.workflow, v.version, v.definition::text as definition
    from unnest(${wanted.map(({ org }) => org)}::int[], ${wanted.map(({ workflow }) => workflow)}::uuid[],
      ${wanted.map(({ version }) => version)}::int[]) as k(org, workflow, version)
    join workflow_versions v on v.org = k.org and v.workflow = k.workflow and v.version = k.version`)

/** undefined: the version was deleted. */
export type DefinitionOf = (key: VersionKey) => WorkflowDefinition | undefined

export async function loadDefinitions(db: Db, wanted: readonly VersionKey[]): Promise<DefinitionOf> {
  const found = new Map<string, WorkflowDefinition>()
  const missing = new Map<string, VersionKey>()
  for (const key of wanted) {
    const known = cache.get(keyOf(key))
    if (known) found.set(keyOf(key), known)
    else missing.set(keyOf(key), key)
  }
  for (const row of missing.size > 0 ? await select(db, [...missing.values()]) : []) {
    const definition = parseJson(row.definition) as WorkflowDefinition
    keep(row, definition)
    found.set(keyOf(row), definition)
  }
  return (key) => found.get(keyOf(key))
}
