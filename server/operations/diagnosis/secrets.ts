// Whether secrets can be decrypted: after a restore without the key, nothing else shows this before a secret is needed.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sql, { type Sql } from 'sql-template-tag'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/pool.ts'
import { openSecretBox, type SecretBox, UnreadableSecret } from '../../secrets/box.ts'
import { KeyFileError } from '../../secrets/key-file.ts'
import { openHeaders, openSecret } from '../../webhooks/target.ts'
import { aboutSecret } from '../../workflows/steps/secrets.ts'
import type { Finding } from './finding.ts'

interface Sealed {
  org: number
  /** The id of the endpoint, or the name of a workflow's secret. */
  id: string
  sealed: Buffer
}

interface Kind {
  what: string
  rows: Sql
  open(box: SecretBox, row: Sealed): unknown
}

// The first five bytes identify the key: one secret of each key is decrypted.
const newestOf = (table: Sql, id: Sql, column: Sql): Sql => sql`
  select distinct on (substring(${column} from 1 for 5)) org, ${id}::text as id, ${column} as sealed from ${table}
  where ${column} is not null order by substring(${column} from 1 for 5), updated_at desc`

const ofEndpoints = (column: Sql) => newestOf(sql`webhook_endpoints`, sql`id`, column)

const KINDS: readonly Kind[] = [
  {
    what: 'secrets of webhook endpoints',
    rows: ofEndpoints(sql`secret`),
    open: (box, row) => openSecret(box, row, row.sealed),
  },
  {
    what: 'headers of webhook endpoints',
    rows: ofEndpoints(sql`headers`),
    open: (box, row) => openHeaders(box, row, row.sealed),
  },
  {
    what: 'secrets of workflows',
    rows: newestOf(sql`workflow_secrets`, sql`name`, sql`value`),
    open: (box, { org, id, sealed }) => box.open(sealed, aboutSecret(org, id)),
  },
]

function canOpen(kind: Kind, box: SecretBox | undefined, row: Sealed): boolean {
  if (!box) return false
  try {
    kind.open(box, row)
    return true
  } catch (error) {
    // A file without a key decrypts nothing. The check of key files reports the fault.
    if (error instanceof UnreadableSecret || error instanceof KeyFileError) return false
    throw error
  }
}

/** The box of this installation; undefined if it has no key yet: a check must not make one. */
const boxOf = (config: Pick<Config, 'secretsKeys' | 'dataDir'>) =>
  config.secretsKeys || existsSync(join(config.dataDir, 'secrets-key')) ? openSecretBox(config) : undefined

/** Decrypts one secret of each kind for each key. */
export async function checkSecrets(
  db: Pick<Db, 'many'>,
  config: Pick<Config, 'secretsKeys' | 'dataDir'>,
): Promise<Finding> {
  const check = 'secrets'
  const box = boxOf(config)
  const unreadable: string[] = []
  for (const kind of KINDS) {
    const rows = await db.many<Sealed>(kind.rows)
    if (!rows.every((row) => canOpen(kind, box, row))) unreadable.push(kind.what)
  }
  if (unreadable.length === 0) return { check, status: 'ok', detail: 'all secrets can be decrypted' }
  return {
    check,
    status: 'fail',
    detail: `the key of this installation cannot decrypt ${unreadable.join(', ')}`,
    advice:
      'restore SECRETS_KEY or the file secrets-key in DATA_DIR from a backup; an older key can follow a newer one: SECRETS_KEY=new,old. Without it, rotate the secrets of endpoints and enter those of workflows again',
  }
}
