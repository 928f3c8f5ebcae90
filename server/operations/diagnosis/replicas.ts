// The doctor's checks of replicas: whether each is a standby of its database, and how far it is behind.
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../base/message-of.ts'
import { cellConnection } from '../../cells/connection.ts'
import type { Config } from '../../config/config.ts'
import { type ReplicaAddress, serverOf } from '../../config/replica-addresses.ts'
import { openForLook } from '../../db/look.ts'
import type { Db } from '../../db/pool.ts'
import {
  classifyServer,
  type PrimaryState,
  type ReplicaState,
  type StandbyState,
  selectPosition,
  selectPrimary,
  selectStandby,
} from '../../db/replicas/server-state.ts'
import { judgeAway } from './database-away.ts'
import type { Finding } from './finding.ts'

const WAIT_MAX_MS = 5000
const POLL_MS = 50

const STATES: Readonly<Record<Exclude<ReplicaState, 'ready' | 'down'>, Omit<Finding, 'check'>>> = {
  other_database: {
    status: 'fail',
    detail:
      'it is not a standby of this database: it is not read, and a service with it for the directory does not start',
    advice: 'correct its address in DATABASE_REPLICA_URLS',
  },
  not_standby: {
    status: 'warn',
    detail: 'it is not in recovery, or does not say how far it has replayed: it is not read',
    advice: 'ignore this if it is the primary of a cluster whose members are all listed',
  },
  other_timeline: {
    status: 'warn',
    detail: 'it follows another server than the primary, on another timeline: it is not read',
    advice: 'let it follow the primary, with pg_rewind or a new base backup',
  },
}

/** How long the standby takes to replay everything that the primary has written. @returns undefined: over maxMs */
async function measureLag(primary: Db, standby: Db, maxMs: number): Promise<number | undefined> {
  const began = performance.now()
  const position = await selectPosition(primary)
  for (;;) {
    const { position: replayed } = await selectStandby(standby)
    const waited = performance.now() - began
    if (replayed !== null && replayed >= position) return waited
    if (waited >= maxMs) return undefined
    await delay(POLL_MS)
  }
}

function lagFinding(
  lagMs: number | undefined,
  { hasFeedback }: StandbyState,
  maxMs: number,
): Omit<Finding, 'check'> {
  if (lagMs === undefined)
    return {
      status: 'warn',
      detail: `it has not replayed within ${maxMs} ms what the primary had written`,
      advice:
        'see whether replay is paused, or waits for a query (pg_stat_activity of the standby); the primary is read meanwhile',
    }
  const detail = `it has replayed what the primary had written within ${Math.round(lagMs)} ms`
  if (hasFeedback) return { status: 'ok', detail }
  const advice = 'set hot_standby_feedback = on there: without it, vacuum on the primary cancels long reads'
  return { status: 'warn', detail: `${detail}; hot_standby_feedback is off`, advice }
}

async function examine(
  primary: Db,
  of: PrimaryState,
  standby: Db,
  config: Config,
): Promise<Omit<Finding, 'check'>> {
  const first = await selectStandby(standby)
  const state = classifyServer(of, first)
  if (state !== 'ready' && state !== 'down') return STATES[state]
  const maxMs = Math.min(WAIT_MAX_MS, config.replicaLagMaxMs)
  return lagFinding(await measureLag(primary, standby, maxMs), first, maxMs)
}

function away(error: unknown, connectionString: string): Omit<Finding, 'check'> {
  const setting = 'DATABASE_REPLICA_URLS'
  const { detail, advice } = judgeAway(error, { connection: { connectionString }, setting })
  return {
    status: 'warn',
    detail,
    advice: `${advice}; or remove it from ${setting}: the primary is read meanwhile`,
  }
}

async function checkOne(
  config: Config,
  directory: Db,
  { cell, databaseUrl }: ReplicaAddress,
): Promise<Finding> {
  const isPooled = config.databasePooler === 'transaction'
  const ofCell = cell === undefined ? undefined : cellConnection(config, cell)
  const primary = ofCell && openForLook(ofCell)
  const standby = openForLook({ connectionString: databaseUrl, isPooled })
  const check = `replica ${cell === undefined ? '' : `${cell} `}${serverOf(databaseUrl)}`
  try {
    const db = primary ?? directory
    const of = await selectPrimary(db)
    const found = await examine(db, of, standby, config).catch((error) => away(error, databaseUrl))
    return { check, ...found }
  } catch (error) {
    const detail = `its primary does not respond: ${messageOf(error)}`
    const advice = `see the check of ${cell === undefined ? 'the database' : `the cell ${cell}`}: the replica was not examined`
    return { check, status: 'fail', detail, advice }
  } finally {
    await standby.close()
    await primary?.close()
  }
}

export const checkReplicas = (config: Config, directory: Db): Promise<Finding[]> =>
  Promise.all(config.replicas.map((one) => checkOne(config, directory, one)))
