// Faults of the databases of a running service: its main database, its cell and its standby.
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { insertMove } from '../server/cells/move/store.ts'
import { serverOf } from '../server/config/replica-addresses.ts'
import { withClient } from '../server/db/database.ts'
import { SERVICE_ROLE } from '../server/db/embedded/service-role.ts'
import { settingOf } from '../server/test/outage/server.ts'
import { signalServer } from '../server/test/standby.ts'
import { moveDatabaseClock } from '../server/test/start-time.ts'
import type { ServiceStage } from './doctor-service.fixture.ts'
import type { RealFault } from './faults.fixture.ts'

type Stage<Part extends keyof ServiceStage> = Pick<ServiceStage, Part>

const AHEAD_MS = 90_000

export function stateFaults({ server: { states } }: Stage<'server'>): RealFault[] {
  return [
    {
      fault: 'the database is read-only',
      ...states['read-only'],
      ...{ check: 'writing', status: 'fail', detail: /default_transaction_read_only is on/ },
      step: /point DATABASE_URL at the primary/,
    },
    {
      fault: 'it has no connection left',
      ...states['out of connections'],
      ...{ check: 'database', status: 'fail', detail: /all its connections are in use/ },
      step: /raise max_connections/,
    },
    {
      fault: 'it is frozen',
      ...states.frozen,
      isSlow: true,
      ...{ check: 'database', status: 'fail', detail: /answers no statement in time/ },
      step: /paused or overloaded/,
    },
    {
      fault: 'it is stopped',
      ...states.stopped,
      ...{ check: 'database', status: 'fail', detail: /there is no such socket/ },
      step: /^start PostgreSQL/,
    },
  ]
}

export function roleFaults({ server: { administration, connection } }: Stage<'server'>): RealFault[] {
  const password = settingOf(
    administration,
    `alter role ${SERVICE_ROLE} password 'another'`,
    `alter role ${SERVICE_ROLE} password '${connection.password}'`,
  )
  const clock = settingOf(
    administration,
    'select 1',
    `alter role ${SERVICE_ROLE} reset search_path; drop schema test_clock cascade`,
  )
  return [
    {
      fault: 'its password was changed',
      ...password,
      ...{ check: 'database', status: 'fail', detail: /the password of the role rapport_service is wrong/ },
      step: /correct the role and the password in DATABASE_URL/,
    },
    {
      fault: 'its clock is ahead',
      begin: () =>
        withClient(administration, (client) => moveDatabaseClock(client, SERVICE_ROLE, AHEAD_MS)).then(
          clock.begin,
        ),
      end: clock.end,
      ...{ check: 'clock', status: 'fail', detail: /clock is (89|90)\d{3} ms ahead/, step: /NTP/ },
    },
  ]
}

interface Migration {
  version: number
  name: string
  checksum: string
}

export function schemaFaults({ server: { pool } }: Stage<'server'>): RealFault[] {
  let last: Migration | undefined
  return [
    {
      fault: 'a newer version has migrated it',
      begin: () =>
        pool.run(
          sql`insert into schema_migrations (version, name, checksum) values (9999, '9999-x.sql', 'x')`,
        ),
      end: () => pool.run(sql`delete from schema_migrations where version = 9999`),
      ...{ check: 'migrations', status: 'fail', detail: /newer version/, step: /restore a backup/ },
    },
    {
      fault: 'a migration is not applied',
      async begin() {
        last = await pool.one<Migration>(sql`
          delete from schema_migrations where version = (select max(version) from schema_migrations)
          returning version, name, checksum`)
      },
      end: () =>
        pool.run(
          sql`insert into schema_migrations (version, name, checksum) values (${last?.version}, ${last?.name}, ${last?.checksum})`,
        ),
      ...{ check: 'migrations', status: 'warn', detail: /^not applied: \d+/, step: /rapport migrate/ },
    },
  ]
}

export function settingFaults({ server: { administration } }: Stage<'server'>): RealFault[] {
  const administer = (statement: string) => withClient(administration, (client) => client.query(statement))
  const setAutovacuum = async (value: 'on' | 'off') => {
    await administer(`alter system set autovacuum = ${value}`)
    await administer('select pg_reload_conf()')
    const shown = async () => (await administer('show autovacuum')).rows[0]?.autovacuum
    await expect.poll(shown).toBe(value)
  }
  return [
    {
      fault: 'autovacuum is off',
      begin: () => setAutovacuum('off'),
      end: () => setAutovacuum('on'),
      ...{ check: 'vacuum', status: 'warn', detail: /autovacuum is off/, step: /autovacuum = on/ },
    },
    {
      fault: 'no commit waits for its standby',
      ...{ check: 'replication', status: 'warn', detail: /^1 standby is connected, .* may lose/ },
      step: /synchronous replication/,
    },
  ]
}

export function cellFaults({ cell }: Stage<'cell'>): RealFault[] {
  return [
    {
      fault: 'the cell is away',
      begin: async () => cell.proxy.refuse(),
      end: async () => cell.proxy.accept(),
      ...{ check: 'one: database', status: 'fail', detail: /the connection was ended/ },
      step: /PostgreSQL listens there/,
    },
    {
      fault: 'the cell is frozen',
      begin: async () => cell.proxy.hold(),
      end: async () => cell.proxy.release(),
      isSlow: true,
      ...{ check: 'one: database', status: 'fail', detail: /answers no statement in time/ },
      step: /paused or overloaded/,
    },
    {
      fault: 'the cell is of another installation',
      begin: () => cell.pool.run(sql`update installation set id = gen_random_uuid()`),
      end: () => cell.pool.run(sql`update installation set id = ${cell.installation}`),
      ...{ check: 'one: place', status: 'fail', detail: /not the database that was added/ },
      step: /correct the address of one in CELLS/,
    },
  ]
}

export function moveFaults({ server: { pool }, cell, org }: Stage<'server' | 'cell' | 'org'>): RealFault[] {
  return [
    {
      fault: 'a move was left half done',
      async begin() {
        await insertMove(pool, { org, source: 0, target: cell.number, holder: randomUUID() })
        await pool.run(sql`update moves set seen_at = '-infinity' where org = ${org}`)
      },
      async end() {
        await pool.run(sql`delete from moves where org = ${org}`)
        await pool.run(sql`update organizations set moving_to = null where org = ${org}`)
      },
      ...{ check: 'moves', status: 'warn', detail: /no command works on: a from .* to one/ },
      step: /rapport org move a --to one/,
    },
  ]
}

export function replicaFaults({ server: { pool }, standby }: Stage<'server' | 'standby'>): RealFault[] {
  const check = `replica ${serverOf(standby.databaseUrl)}`
  return [
    {
      fault: 'the replica sends no feedback',
      ...{ check, status: 'warn', detail: /hot_standby_feedback is off/ },
      step: /set hot_standby_feedback = on/,
    },
    {
      fault: 'the replica is behind',
      async begin() {
        await standby.pause()
        await pool.run(sql`update deletion_clock set followed_at = followed_at`)
      },
      end: () => standby.resume(),
      ...{ check, status: 'warn', detail: /has not replayed within 1000 ms/ },
      step: /whether replay is paused/,
    },
    {
      fault: 'the replica is frozen',
      begin: () => signalServer(standby, 'SIGSTOP'),
      end: () => signalServer(standby, 'SIGCONT'),
      isSlow: true,
      ...{ check, status: 'warn', detail: /answers no statement in time/ },
      step: /remove it from DATABASE_REPLICA_URLS: the primary is read meanwhile/,
    },
    {
      fault: 'the replica is stopped',
      begin: () => standby.stop(),
      end: () => standby.start(),
      ...{ check, status: 'warn', detail: /there is no such socket/ },
      step: /start PostgreSQL.*remove it from DATABASE_REPLICA_URLS/,
    },
  ]
}
