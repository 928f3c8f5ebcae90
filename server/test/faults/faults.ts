// Faults of the service, of its database, or of the network between them, each with functions that begin and end it.
import { setTimeout as delay } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import type { Fault } from './fault.ts'
import { olderVersion } from './older.ts'
import type { ProxiedStage, Stage } from './stage.ts'

type ProxiedFault = Fault<ProxiedStage>

/**
 * All sessions except the one that runs the query. The test's own sessions are included: its pool reconnects.
 * Autovacuum has no user, and the role of the service may not end it.
 */
const SESSIONS = sql`
  from pg_stat_activity
  where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`

const selectSessions = ({ db }: Stage) => db.many<{ pid: number }>(sql`select pid ${SESSIONS}`)

const endSessions = ({ db }: Stage) => db.many(sql`select pg_terminate_backend(pid) ${SESSIONS}`)

function signal(pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // The session has already ended.
    }
  }
}

/** Also works while the database is read-only: the transaction is explicitly `read write`. */
const setDatabase = ({ db }: Stage, setting: string) =>
  db.transaction(async (tx) => {
    await tx.run(sql`set transaction read write`)
    const { name } = await tx.one<{ name: string }>(sql`select current_database() as name`)
    await tx.run(raw(`alter database ${name} ${setting}`))
  })

const nothing = async () => undefined

function pausing(): ProxiedFault {
  let paused: number[] = []
  return {
    name: 'sessions of the database paused',
    async begin(stage) {
      paused = (await selectSessions(stage)).map(({ pid }) => pid)
      signal(paused, 'SIGSTOP')
    },
    end: async () => signal(paused, 'SIGCONT'),
  }
}

export const faults: readonly ProxiedFault[] = [
  {
    name: 'sessions of the database ended',
    begin: async (stage) => {
      for (let times = 0; times < 3; times++) {
        await endSessions(stage)
        await delay(200)
      }
    },
    end: nothing,
  },
  pausing(),
  { name: 'connections reset', begin: async ({ proxy }) => proxy.reset(), end: nothing },
  {
    name: 'network silent',
    named: 'database',
    refuses: true,
    begin: async ({ proxy }) => proxy.hold(),
    end: async ({ proxy }) => proxy.release(),
  },
  { name: 'connections half-open', begin: async ({ proxy }) => proxy.cut(), end: nothing },
  {
    name: 'name of the database not resolved',
    named: 'database',
    refuses: true,
    async begin({ inside, proxy }) {
      await inside({ dns: true })
      proxy.reset()
    },
    end: ({ inside }) => inside({}),
  },
  {
    name: 'database read-only',
    named: 'writing',
    refuses: true,
    async begin(stage) {
      await setDatabase(stage, 'set default_transaction_read_only = on')
      await endSessions(stage)
    },
    async end(stage) {
      await setDatabase(stage, 'reset default_transaction_read_only')
      await endSessions(stage)
    },
  },
  olderVersion(),
]
