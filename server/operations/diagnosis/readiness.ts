// Whether the service can answer requests, and if not, why: for /readyz.
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { DiskSpace } from '../../db/disk-space/disk-space.ts'
import { errorCode, openPool } from '../../db/pool.ts'
import { isDatabaseUnavailable, unavailableReason } from '../../db/unavailable.ts'
import type { Readiness } from '../../http/health.ts'
import { conditions, type HealthCondition, type HealthSubject } from './conditions.ts'
import { judgeDisks } from './disk.ts'
import type { Finding } from './finding.ts'
import { folderConditions } from './folder-conditions.ts'

/** A probe is answered within 2 s, also when the database does not answer. */
const EXAMINATION_MS = 1500
/** How long probes, also those of strangers, share the result of an examination. */
const KEPT_MS = 500

interface Examined {
  finding: Finding
  stops: boolean
}

/** @param error of a database that is unavailable */
export const findAway = (error: unknown): Finding => {
  const code = errorCode(error)
  const detail = `${unavailableReason(error)}${code === undefined ? '' : ` (${code})`}`
  return { check: 'database', status: 'fail', detail }
}

const away = (error: unknown): Examined => ({ finding: findAway(error), stops: true })

/** A warning about a condition that requests need, such as a missing migration, stops requests too. */
const judge = ({ readiness }: Pick<HealthCondition, 'readiness'>, finding: Finding): Examined => ({
  finding,
  stops: readiness === 'stops' && finding.status !== 'ok',
})

async function examineAll(subject: HealthSubject): Promise<Examined[]> {
  const examined: Examined[] = []
  const asked = conditions.filter(({ readiness }) => readiness !== 'doctor')
  for (const condition of [...folderConditions, ...asked]) {
    try {
      const { recall, examine } = condition
      examined.push(judge(condition, recall ? recall(subject) : await examine(subject)))
    } catch (error) {
      if (!isDatabaseUnavailable(error) && errorCode(error) === undefined) throw error
      return [...examined, away(error)]
    }
  }
  return examined
}

const noAnswer = (): Examined[] => [away(new Error('The database does not respond'))]

type Disks = Pick<DiskSpace, 'volumes'>

/** Reads continue while writes are refused. */
const examineDisks = ({ volumes }: Disks) => judge({ readiness: 'named' }, judgeDisks(volumes, false))

/** Concurrent probes share one examination. @param disks the last measurements of the service */
export function createReadiness(subject: HealthSubject, disks: Disks = { volumes: [] }): Readiness {
  let running: Promise<Examined[]> | undefined
  const examine = () => {
    running ??= examineAll(subject).finally(() => {
      setTimeout(() => {
        running = undefined
      }, KEPT_MS).unref()
    })
    return running
  }
  return async () => {
    const patience = new AbortController()
    const waited = delay(EXAMINATION_MS, undefined, { signal: patience.signal }).then(noAnswer, noAnswer)
    const examined = await Promise.race([examine(), waited]).finally(() => patience.abort())
    const named = [examineDisks(disks), ...examined].filter(({ finding }) => finding.status !== 'ok')
    return {
      isReady: !examined.some(({ stops }) => stops),
      conditions: named.map(({ finding }) => finding),
    }
  }
}

/** A separate connection, which is free while all others are busy. */
export const openReadinessPool = (connection: ClientConfig) =>
  openPool({
    connection,
    max: 1,
    statementTimeoutMs: EXAMINATION_MS,
    answerTimeoutMs: EXAMINATION_MS,
    connectMs: EXAMINATION_MS,
    onError: () => undefined,
    prepares: false,
    // A probe must report each failure.
    retries: false,
  })
