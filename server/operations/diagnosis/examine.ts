// Examines a whole installation with the settings of one configuration: those of the service, or of a shell if no
// service runs.
import { access, constants } from 'node:fs/promises'
import { errorCode } from '../../base/error-code.ts'
import { messageOf } from '../../base/message-of.ts'
import type { Config } from '../../config/config.ts'
import { DATABASE_NAME, type Database } from '../../db/database.ts'
import { SERVICE_ROLE } from '../../db/embedded/service-role.ts'
import { findUnfinishedRestore } from '../../db/embedded/unfinished-restore.ts'
import { openForLook } from '../../db/look.ts'
import type { Db } from '../../db/pool.ts'
import { type KeptMail, selectMail } from '../../mail/store.ts'
import { checkBackup } from './backup.ts'
import { checkBaseUrl } from './base-url.ts'
import { checkCells } from './cells.ts'
import { checkCertificate } from './certificate.ts'
import { checkKeyFiles, checkOwners } from './data-folder.ts'
import { type DatabaseAddress, judgeAway } from './database-away.ts'
import { checkDisk, type KnownDisks } from './disk.ts'
import { type Finding, isMigrated } from './finding.ts'
import { checkReplicas } from './replicas.ts'
import { checkSecrets } from './secrets.ts'
import { checkDatabase, checkFiles, checkMail, checkSvix, judgeSettings } from './service.ts'
import { asServiceUser } from './socket-path.ts'
import { checkStoredFiles } from './stored-files.ts'
import type { ServiceState } from './work.ts'

export interface Examination {
  findings: Finding[]
  /** The last messages for which no SMTP server was configured, newest first. */
  mail: KeptMail[]
}

/** Facts that only the running service has. */
interface SelfKnowledge extends ServiceState, KnownDisks {}

/** Opens an existing database; undefined: there is none yet. */
export type OpenDatabase = () => Promise<Pick<Database, 'connection' | 'embedded' | 'stop'> | undefined>

const MAIL_SHOWN = 5
/** The limit of one check: the command waits for all checks. */
const CHECK_MS = 40_000

const notExamined = (check: string, why: string): Finding => ({
  ...{ check, status: 'fail', detail: `it could not be examined: ${why}` },
  advice: 'see the log of the service, and whether what it depends on hangs',
})

/** Resolves within the limit, and never rejects. */
async function bounded(check: string, work: Promise<Finding[]>): Promise<Finding[]> {
  const { promise, resolve } = Promise.withResolvers<Finding[]>()
  const late = () => resolve([notExamined(check, `no answer within ${CHECK_MS / 1000} s`)])
  const timer = setTimeout(late, CHECK_MS)
  const done = work.catch((error: unknown) => [notExamined(check, messageOf(error))])
  return Promise.race([done, promise]).finally(() => clearTimeout(timer))
}

function addressOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): DatabaseAddress {
  if (databaseUrl !== undefined)
    return { connection: { connectionString: databaseUrl }, setting: 'DATABASE_URL' }
  const connection = { host: dataDir, user: SERVICE_ROLE, database: DATABASE_NAME }
  return { connection, setting: 'DATA_DIR', name: `the embedded database in ${dataDir}` }
}

const isClosed = (folder: string): Promise<boolean> =>
  access(folder, constants.X_OK).then(
    () => false,
    (error: unknown) => errorCode(error) === 'EACCES',
  )

export async function noDatabase({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> {
  const check = 'database'
  if (await isClosed(dataDir))
    return {
      ...{ check, status: 'fail', detail: `this user may not look into ${dataDir}` },
      advice: asServiceUser(dataDir),
    }
  const unfinished = await findUnfinishedRestore(dataDir)
  if (unfinished) return { check, status: 'fail', detail: unfinished.fault, advice: unfinished.step }
  const detail = `there is no database in ${dataDir} yet`
  const advice = 'the first start of the service creates it; if you expected one, check DATA_DIR'
  return { check, status: 'warn', detail, advice }
}

async function keptMail(db: Db, { smtpUrl }: Config, findings: readonly Finding[]): Promise<KeptMail[]> {
  return smtpUrl !== undefined || !isMigrated(findings) ? [] : selectMail(db, MAIL_SHOWN)
}

async function examineOpened(
  config: Config,
  { connection, embedded }: Pick<Database, 'connection' | 'embedded'>,
  service: ServiceState | undefined,
): Promise<Examination> {
  const pool = openForLook(connection, 2)
  try {
    const findings = await checkDatabase(
      { config, db: pool, connection, now: Date.now },
      { embedded, service },
    )
    if (isMigrated(findings)) {
      findings.push(await checkSecrets(pool, config), ...(await checkStoredFiles(config, pool)))
      findings.push(...(await checkCells(config, pool, service)))
    }
    findings.push(...(await checkReplicas(config, pool)))
    findings.push(...(await checkBackup(config, pool, new Date())))
    return { findings, mail: await keptMail(pool, config, findings) }
  } finally {
    await pool.close()
  }
}

async function examineDatabase(
  config: Config,
  open: OpenDatabase,
  service: ServiceState | undefined,
): Promise<Examination> {
  try {
    const database = await open()
    if (database === undefined) return { findings: [await noDatabase(config)], mail: [] }
    return await examineOpened(config, database, service).finally(() => database.stop())
  } catch (error) {
    return { findings: [judgeAway(error, addressOf(config))], mail: [] }
  }
}

/** @param service undefined: no service runs on this machine */
export async function examineInstallation(
  config: Config,
  open: OpenDatabase,
  service?: SelfKnowledge,
): Promise<Examination> {
  let mail: KeptMail[] = []
  const ofDatabase = async () => {
    const examined = await examineDatabase(config, open, service)
    mail = examined.mail
    return examined.findings
  }
  const found = await Promise.all([
    bounded(
      'disk',
      checkDisk(config, service).then((one) => [one]),
    ),
    bounded(
      'files',
      checkFiles(config).then((one) => [one]),
    ),
    bounded('keys', checkKeyFiles(config)),
    bounded('owners', checkOwners(config)),
    bounded(
      'mail',
      checkMail(config).then((one) => [one]),
    ),
    bounded('webhooks', checkSvix(config)),
    bounded('base url', checkBaseUrl(config)),
    bounded('certificate', checkCertificate(config, new Date())),
    bounded('database', ofDatabase()),
  ])
  return { findings: [judgeSettings(config), ...found.flat()], mail }
}
