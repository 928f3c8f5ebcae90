// Real faults of the dependencies of a running service: the service itself reports each, with the next step.
import { spawnSync } from 'node:child_process'
import { chown, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openSecretBox } from '../server/secrets/box.ts'
import { insertEndpoint } from '../server/webhooks/endpoint.fixture.ts'
import { MAIN, run, runInside } from './cli.fixture.ts'
import * as databases from './database-faults.fixture.ts'
import { markWorking, openStage } from './doctor-service.fixture.ts'
import { expectNamed, failuresIn, type Named, provoke, type RealFault } from './faults.fixture.ts'
import * as partners from './partner-faults.fixture.ts'

const stage = await openStage()
const { dataDir, org, shell } = stage
const { pool } = stage.server
const { endpoint } = await insertEndpoint(
  { db: pool, secrets: openSecretBox({ dataDir, secretsKeys: undefined }) },
  org,
)
const id = '00000000-0000-7000-8000-000000000002'

const OF_WORK: RealFault[] = [
  {
    fault: 'no worker works',
    begin: () => pool.run(sql`update deletion_clock set followed_at = now() - interval '20 minutes'`),
    end: () => markWorking(pool),
    ...{ check: 'worker', detail: /12\d\d s/, step: /^start a process with ROLE=all or ROLE=worker/ },
  },
  {
    fault: 'deleted data stays',
    begin: () =>
      pool.run(sql`
        insert into objects (org, id, type, plural_name, singular_name, description, slug, deleted_at)
        values (${org}, ${id}, 'custom', 'A', 'A', '', 'a', now() - interval '2 hours')`),
    end: () => pool.run(sql`delete from objects where org = ${org}`),
    ...{ check: 'work', status: 'warn', detail: /not purged after an hour/, step: /ROLE=worker/ },
  },
  {
    fault: 'the clock was wrong',
    begin: () =>
      pool.run(
        sql`insert into events (org, id, type, subject, data) values (${org}, ${id}, 'record.created', ${id}, '{}')`,
      ),
    end: () => pool.run(sql`delete from events where org = ${org}`),
    ...{
      check: 'work',
      status: 'warn',
      detail: /outside the partition of the day/,
      step: /correct the clock/,
    },
  },
  {
    fault: 'deliveries wait',
    begin: () =>
      pool.run(sql`
        update webhook_lanes set due_at = now() - interval '5 minutes', leased_until = '-infinity', not_before = '-infinity'
        where org = ${org} and endpoint = ${endpoint}`),
    end: () =>
      pool.run(
        sql`update webhook_lanes set due_at = 'infinity' where org = ${org} and endpoint = ${endpoint}`,
      ),
    ...{ check: 'work', status: 'warn', detail: /1 webhook endpoint has deliveries that nothing sends/ },
    step: /ROLE=worker/,
  },
]

const KEY = join(dataDir, 'secrets-key')
const SECRET = join(dataDir, 'auth-secret')
const key = await readFile(KEY, 'utf8')
const isRoot = process.getuid?.() === 0
const STRANGER = 12_345

const OF_KEYS: RealFault[] = [
  {
    fault: 'the key is of another installation',
    begin: () => writeFile(KEY, Buffer.alloc(32, 5).toString('base64')),
    end: () => writeFile(KEY, key),
    ...{ check: 'secrets', status: 'fail', detail: /cannot decrypt secrets of webhook endpoints/ },
    step: /restore SECRETS_KEY or the file secrets-key/,
  },
  {
    fault: 'the key file is damaged',
    begin: () => writeFile(KEY, 'damaged'),
    end: () => writeFile(KEY, key),
    ...{
      check: 'keys',
      status: 'fail',
      detail: /secrets-key contains no key/,
      step: /restore it from a backup/,
    },
  },
  {
    fault: 'a key file is missing',
    begin: () => rename(SECRET, `${SECRET}.away`),
    end: () => rename(`${SECRET}.away`, SECRET),
    ...{
      check: 'keys',
      status: 'warn',
      detail: /auth-secret is missing/,
      step: /restore it from a backup first/,
    },
  },
]

const OF_FOLDER: RealFault[] = [
  {
    fault: 'the folder and its files have different owners',
    begin: () => chown(dataDir, STRANGER, STRANGER),
    end: () => chown(dataDir, 0, 0),
    ...{
      check: 'owners',
      status: 'fail',
      detail: /does not own .*auth-secret/,
      step: /^chown -R --reference=/,
    },
  },
]

const examined = async () => failuresIn(await runInside(['doctor'], shell))

test('no check fails before the faults', async () => expect(await examined()).toEqual([]))

const FAULTS = [
  ...[...partners.mailFaults(stage), ...partners.refusedFileFaults(stage), ...partners.fileFaults(stage)],
  ...[...partners.svixFaults(stage), ...partners.certificateFaults(stage)],
  ...[...OF_KEYS, ...(isRoot ? OF_FOLDER : []), ...OF_WORK],
  ...[...databases.cellFaults(stage), ...databases.moveFaults(stage), ...databases.replicaFaults(stage)],
  ...[...databases.roleFaults(stage), ...databases.schemaFaults(stage), ...databases.settingFaults(stage)],
  ...databases.stateFaults(stage),
]

test.each(FAULTS)('doctor and status report: $fault', (one) => provoke(shell, one))

/** Runs a program as an account without access to the folder of the service. */
const AS_OTHER_USER = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
const [program = '', ...words] = AS_OTHER_USER
const isOpen = isRoot && spawnSync(program, [...words, 'test', '-r', MAIN]).status === 0

test.runIf(isOpen)('doctor and status of another user report the missing access', async () => {
  const asked: Named = {
    ...{ check: 'service', status: 'fail', detail: /this user may not ask the service/ },
    step: /sudo -u/,
  }
  const database: Named = {
    ...{ check: 'database', status: 'fail', detail: /this user may not look into/ },
    step: /sudo -u/,
  }
  for (const command of ['doctor', 'status']) {
    const outcome = await run([MAIN, command], shell, AS_OTHER_USER)
    expectNamed(outcome, asked)
    expectNamed(outcome, database)
    expect(outcome.code).toBe(1)
  }
})

test('no check fails after the faults', async () => expect(await examined()).toEqual([]))
