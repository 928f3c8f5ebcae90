// Examines an installation without changing it, and gives advice for each finding.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../base/message-of.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/database.ts'
import type { Db } from '../../db/pool.ts'
import { isDatabaseUnavailable } from '../../db/unavailable.ts'
import { openFileStorage } from '../../files/open-storage.ts'
import { selectRefusal } from '../../jobs/deletion-clock.ts'
import { openSmtp } from '../../mail/smtp.ts'
import { createSvix } from '../../webhooks/svix/client.ts'
import { conditions, type HealthCondition, type HealthSubject } from './conditions.ts'
import { type Finding, isMigrated } from './finding.ts'
import { type DatabaseFacts, selectDiagnosisFacts, selectStuckWork } from './store.ts'
import { judgeUpkeep, selectUpkeep } from './upkeep.ts'
import { judgeWork, judgeWorker, opportunityOf, type ServiceState } from './work.ts'

const ANSWER_WARN_MS = 50
const VERSION_MIN = 180_000

const mib = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MiB`

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Warns of values that are usable, but perhaps not meant for production. */
export function judgeSettings({
  production,
  egressAllowPrivate,
}: Pick<Config, 'production' | 'egressAllowPrivate'>): Finding {
  const check = 'configuration'
  if (!production || !egressAllowPrivate) return { check, status: 'ok', detail: 'every variable is valid' }
  return {
    check,
    status: 'warn',
    detail: 'webhooks can reach private addresses: EGRESS_ALLOW_PRIVATE is for development',
    advice: 'set it to false, unless only you can add endpoints',
  }
}

/** Whether files can be stored, as far as that is known without storing one. */
export async function checkFiles(config: Config): Promise<Finding> {
  const check = 'files'
  const { dataDir, s3 } = config
  const where = s3 ? `the bucket ${s3.bucket} at ${s3.endpoint}` : `${dataDir}/files`
  const storage = openFileStorage(config)
  const problem = await storage.check().finally(() => storage.close())
  if (problem === undefined) return { check, status: 'ok', detail: `${where} is accessible` }
  const advice = s3
    ? 'check S3_ENDPOINT, S3_REGION, S3_BUCKET and the access key; until then no file can be stored or read'
    : 'make it a folder of the user that runs the service (chown DATA_DIR), on a disk that is mounted for writing'
  return { check, status: 'fail', detail: `${where}: ${problem}`, advice }
}

/** Connects to the SMTP server and signs in. Sends nothing. */
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
      advice: 'set SMTP_URL and MAIL_FROM; until then pass on the messages listed below yourself',
    }
  const where = new URL(smtpUrl).host
  try {
    await openSmtp({ url: smtpUrl, from: mailFrom }).verify()
    return { check, status: 'ok', detail: `${where} accepts messages` }
  } catch (error) {
    const detail = `${where}: ${messageOf(error)}`
    return { check, status: 'fail', detail, advice: 'check the server, user and password in SMTP_URL' }
  }
}

const SVIX_REFUSED = new Set<number | null>([401, 403])

/** Requests an event type from Svix, which shows whether it accepts the token. Nothing if Svix is not configured. */
export async function checkSvix({ svix: access }: Pick<Config, 'svix'>): Promise<Finding[]> {
  if (access === undefined) return []
  const check = 'webhooks'
  const svix = createSvix(access)
  const { status, problem } = await svix.check().finally(() => svix.close())
  if (problem === null) return [{ check, status: 'ok', detail: `Svix at ${svix.host} accepts the token` }]
  const advice = SVIX_REFUSED.has(status)
    ? 'check that SVIX_TOKEN is a token of the environment at SVIX_SERVER_URL'
    : 'check SVIX_SERVER_URL; until Svix responds, events are kept for up to 72 hours'
  return [{ check, status: 'fail', detail: `Svix at ${svix.host}: ${problem}`, advice }]
}

/** Whether there is a database to examine: a check must not make one. */
export const hasDatabase = async ({ databaseUrl, dataDir }: Config): Promise<boolean> =>
  databaseUrl !== undefined || exists(join(dataDir, 'postgres', 'PG_VERSION'))

/** For servers too old for the statements of the other checks. */
export const judgeVersion = ({ version }: Pick<DatabaseFacts, 'version'>): Finding => ({
  check: 'database',
  status: 'fail',
  detail: `PostgreSQL ${version} is too old: the service does not start`,
  advice: 'upgrade the server to PostgreSQL 18 or newer (pg_upgrade), or point DATABASE_URL at one',
})

export function judgeAnswer(
  facts: Omit<DatabaseFacts, 'versionNumber'>,
  answerMs: number,
  where: string,
): Finding {
  const detail = `PostgreSQL ${facts.version}, ${where}, ${mib(facts.bytes)}, responds in ${answerMs.toFixed(1)} ms`
  if (answerMs < ANSWER_WARN_MS) return { check: 'database', status: 'ok', detail }
  const advice =
    'every request waits for the database: move it closer to the service, or find out what keeps it busy'
  return { check: 'database', status: 'warn', detail, advice }
}

/** @param refusal why the last job that deletes by age deleted nothing */
export function judgeRetention(refusal: string | undefined): Finding {
  const check = 'retention'
  if (refusal === undefined) return { check, status: 'ok', detail: 'old data is deleted on schedule' }
  const detail = `nothing is deleted by age: ${refusal}`
  return { check, status: 'warn', detail, advice: 'check the clocks of all machines' }
}

/** A condition that cannot be examined becomes a finding, and the others are still examined. */
async function examineCondition(
  { check, examine }: HealthCondition,
  subject: HealthSubject,
): Promise<Finding> {
  try {
    return await examine(subject)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    const detail = `it could not be examined: ${messageOf(error)}`
    return { check, status: 'fail', detail, advice: 'see the log of PostgreSQL for this statement' }
  }
}

async function checkWork(
  db: Db,
  { embedded, service }: Examined,
  { isFull }: { isFull: boolean },
): Promise<Finding[]> {
  const work = await selectStuckWork(db)
  const { idleSeconds, databaseSeconds } = work
  const opportunity = opportunityOf(service, { isEmbedded: embedded !== undefined, databaseSeconds, isFull })
  return [
    judgeRetention(await selectRefusal(db)),
    ...judgeUpkeep(await selectUpkeep(db)),
    judgeWorker(idleSeconds, opportunity),
    ...judgeWork(work, opportunity),
  ]
}

interface Examined extends Pick<Database, 'embedded'> {
  /** Undefined: no service runs on this machine. */
  service?: ServiceState | undefined
}

/** Examines a database that answers. `subject.db` may lack migrations. */
export async function checkDatabase(
  subject: HealthSubject,
  { embedded, service }: Examined,
): Promise<Finding[]> {
  const { db } = subject
  // The first statement also opens the connection.
  await selectDiagnosisFacts(db)
  const startedAt = performance.now()
  const facts = await selectDiagnosisFacts(db)
  const answerMs = performance.now() - startedAt
  if (facts.versionNumber < VERSION_MIN) return [judgeVersion(facts)]
  const where = embedded ? 'embedded' : 'external (DATABASE_URL)'
  const findings = [judgeAnswer(facts, answerMs, where)]
  for (const condition of conditions) findings.push(await examineCondition(condition, subject))
  if (!isMigrated(findings)) return findings
  const isFull = findings.some(({ check, status }) => check === 'space' && status === 'fail')
  return [...findings, ...(await checkWork(db, { embedded, service }, { isFull }))]
}
