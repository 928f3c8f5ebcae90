// Looks an installation over, changing nothing, and says what to do about what it finds.
import { stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { openFileStorage } from '../files/open-storage.ts'
import { selectRefusal } from '../jobs/deletion-clock.ts'
import { openSmtp } from '../mail/smtp.ts'
import { createSvix } from '../webhooks/svix/client.ts'
import { conditions, type Subject } from './conditions.ts'
import type { Finding } from './finding.ts'
import { type DatabaseFacts, type StuckWork, selectFacts, selectStuckWork } from './store.ts'

const GIB = 1024 ** 3
const DISK_WARN_BYTES = 5 * GIB
const DISK_FAIL_BYTES = GIB
const ANSWER_WARN_MS = 50
const TRANSACTION_WARN_SECONDS = 300

const gib = (bytes: number) => `${(bytes / GIB).toFixed(1)} GiB`
const mib = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MiB`

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** The folder itself, or the nearest above it that is there already. */
async function nearest(path: string): Promise<string> {
  return (await exists(path)) || dirname(path) === path ? path : nearest(dirname(path))
}

/** Values that can be used, but perhaps should not be here. */
export function judgeSettings({
  production,
  egressAllowPrivate,
}: Pick<Config, 'production' | 'egressAllowPrivate'>): Finding {
  const check = 'configuration'
  if (!production || !egressAllowPrivate) return { check, status: 'ok', detail: 'every variable can be used' }
  return {
    check,
    status: 'warn',
    detail: 'webhooks may go to private addresses: EGRESS_ALLOW_PRIVATE is for development',
    advice: 'set it to false, unless only you can set endpoints',
  }
}

export function judgeDisk(freeBytes: number, folder: string): Finding {
  const detail = `${gib(freeBytes)} free in ${folder}`
  if (freeBytes >= DISK_WARN_BYTES) return { check: 'disk', status: 'ok', detail }
  const advice = 'make room, or move DATA_DIR to a larger disk: a full disk stops PostgreSQL'
  return { check: 'disk', status: freeBytes < DISK_FAIL_BYTES ? 'fail' : 'warn', detail, advice }
}

export async function checkDisk({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> {
  const { bavail, bsize } = await statfs(await nearest(dataDir))
  return judgeDisk(bavail * bsize, dataDir)
}

/** Whether files can be stored, as far as it can be known without storing one. */
export async function checkFiles(config: Config): Promise<Finding> {
  const check = 'files'
  const { dataDir, s3 } = config
  const where = s3 ? `the bucket ${s3.bucket} at ${s3.endpoint}` : `${dataDir}/files`
  const storage = openFileStorage(config)
  const problem = await storage.check().finally(() => storage.close())
  if (problem === undefined) return { check, status: 'ok', detail: `${where} can be used` }
  const advice = s3
    ? 'see that S3_ENDPOINT, S3_REGION, S3_BUCKET and the key belong together; until then no file is stored or read'
    : 'see that DATA_DIR belongs to the user that the service runs as'
  return { check, status: 'fail', detail: `${where}: ${problem}`, advice }
}

/** Connects to the SMTP server and signs in; sends nothing. */
export async function checkMail({
  smtpUrl,
  mailFrom,
}: Pick<Config, 'smtpUrl' | 'mailFrom'>): Promise<Finding> {
  const check = 'mail'
  if (smtpUrl === undefined)
    return {
      check,
      status: 'warn',
      detail: 'no SMTP server is configured: messages are kept, not sent',
      advice: 'set SMTP_URL and MAIL_FROM; until then pass on by hand what is listed below',
    }
  const where = new URL(smtpUrl).host
  try {
    await openSmtp({ url: smtpUrl, from: mailFrom }).verify()
    return { check, status: 'ok', detail: `${where} takes messages` }
  } catch (error) {
    const detail = `${where}: ${error instanceof Error ? error.message : String(error)}`
    return { check, status: 'fail', detail, advice: 'see that SMTP_URL names the server, user and password' }
  }
}

const SVIX_REFUSED = new Set<number | null>([401, 403])

/** Asks Svix for an event type, which also shows whether it takes the token; nothing where it is not used. */
export async function checkSvix({ svix: access }: Pick<Config, 'svix'>): Promise<Finding[]> {
  if (access === undefined) return []
  const check = 'webhooks'
  const svix = createSvix(access)
  const { status, problem } = await svix.check().finally(() => svix.close())
  if (problem === null) return [{ check, status: 'ok', detail: `Svix at ${svix.host} takes the token` }]
  const advice = SVIX_REFUSED.has(status)
    ? 'see that SVIX_TOKEN is a token of the environment at SVIX_SERVER_URL'
    : 'see that SVIX_SERVER_URL is where Svix is; until it answers, events are kept for up to 72 hours'
  return [{ check, status: 'fail', detail: `Svix at ${svix.host}: ${problem}`, advice }]
}

/** Whether there is a database to look at: looking must not make one. */
export const hasDatabase = async ({ databaseUrl, dataDir }: Config): Promise<boolean> =>
  databaseUrl !== undefined || exists(join(dataDir, 'postgres', 'PG_VERSION'))

export const noDatabase = ({ dataDir }: Pick<Config, 'dataDir'>): Finding => ({
  check: 'database',
  status: 'warn',
  detail: `there is none in ${dataDir} yet`,
  advice: 'npm start makes it; if there should be one, DATA_DIR names the wrong folder',
})

export function judgeAnswer(facts: DatabaseFacts, answerMs: number, where: string): Finding {
  const detail = `PostgreSQL ${facts.version}, ${where}, ${mib(facts.bytes)}, answers in ${answerMs.toFixed(1)} ms`
  if (answerMs < ANSWER_WARN_MS) return { check: 'database', status: 'ok', detail }
  const advice = 'every request waits for answers: bring the database nearer, or look for what keeps it busy'
  return { check: 'database', status: 'warn', detail, advice }
}

/** @param refusal why the last job that deletes by age deleted nothing */
export function judgeRetention(refusal: string | undefined): Finding {
  const check = 'retention'
  if (refusal === undefined) return { check, status: 'ok', detail: 'what is old enough is deleted' }
  const detail = `nothing is deleted by age: ${refusal}`
  return { check, status: 'warn', detail, advice: 'see that the clocks of every machine are right' }
}

function* complaints({ unpurged, failedJobs, strayEvents, oldestTransactionSeconds }: StuckWork) {
  if (unpurged > 0)
    yield [
      `${unpurged} deleted objects or attributes are not cleared away after an hour`,
      'start a process with ROLE=all or worker, and see its log',
    ]
  if (failedJobs > 0) yield [`${failedJobs} jobs failed in the last day`, 'see the log of the worker']
  if (strayEvents > 0)
    yield [
      `${strayEvents} events are outside their day's partition`,
      'set the clock right, and keep a process with ROLE=all or worker running',
    ]
  if (oldestTransactionSeconds > TRANSACTION_WARN_SECONDS)
    yield [
      `a transaction is open for ${Math.round(oldestTransactionSeconds)} s`,
      'find it in pg_stat_activity: it keeps deleted rows from being cleared away',
    ]
}

export function judgeWork(work: StuckWork): Finding {
  const found = [...complaints(work)]
  if (found.length === 0) return { check: 'work', status: 'ok', detail: 'nothing is stuck' }
  const [details, advices] = [found.map(([detail]) => detail), found.map(([, advice]) => advice)]
  return { check: 'work', status: 'warn', detail: details.join('; '), advice: advices.join('; ') }
}

/** Asks a database that answers; `subject.db` need not be migrated. */
export async function checkDatabase(
  subject: Subject,
  { embedded }: Pick<Database, 'embedded'>,
): Promise<Finding[]> {
  const { db } = subject
  // The first statement also opens the connection.
  await selectFacts(db)
  const startedAt = performance.now()
  const facts = await selectFacts(db)
  const answerMs = performance.now() - startedAt
  const where = embedded ? 'embedded' : 'external (DATABASE_URL)'
  const findings = [judgeAnswer(facts, answerMs, where)]
  for (const { examine } of conditions) findings.push(await examine(subject))
  // A database that is not migrated lacks the tables to ask.
  const isMigrated = findings.some(({ check, status }) => check === 'migrations' && status === 'ok')
  return isMigrated
    ? [...findings, judgeRetention(await selectRefusal(db)), judgeWork(await selectStuckWork(db))]
    : findings
}
