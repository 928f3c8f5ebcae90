// rapport doctor: what is configured, what is wrong, and what to do about it.
import { Command } from 'commander'
import { type Config, ConfigError, readConfig } from '../server/config.ts'
import type { Db } from '../server/db/pool.ts'
import { type Setting, settingsOf } from '../server/diagnosis/configuration.ts'
import { type Finding, isMigrated } from '../server/diagnosis/finding.ts'
import type { KeptMail } from '../server/mail/store.ts'
import { JSON_OUTPUT, type OutputOptions, print, table } from './output.ts'
import { openLog } from './session.ts'

interface Diagnosis {
  /** Whether nothing failed. */
  ok: boolean
  settings: Setting[]
  findings: Finding[]
  /** The last messages no SMTP server was configured for, newest first. */
  mail: KeptMail[]
}

type Examination = Pick<Diagnosis, 'findings' | 'mail'>

const MAIL_SHOWN = 5

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function keptMail(db: Db, { smtpUrl }: Config, findings: readonly Finding[]): Promise<KeptMail[]> {
  if (smtpUrl !== undefined || !isMigrated(findings)) return []
  const { selectMail } = await import('../server/mail/store.ts')
  return selectMail(db, MAIL_SHOWN)
}

/** Not by way of a session: that would migrate what is to be looked at. */
async function examineDatabase(config: Config): Promise<Examination> {
  const { checkDatabase, hasDatabase, noDatabase } = await import('../server/diagnosis/service.ts')
  const { checkSecrets } = await import('../server/diagnosis/secrets.ts')
  const { checkBackup } = await import('../server/diagnosis/backup.ts')
  const { checkCells } = await import('../server/diagnosis/cells.ts')
  const { checkReplicas } = await import('../server/diagnosis/replicas.ts')
  if (!(await hasDatabase(config))) return { findings: [await noDatabase(config)], mail: [] }
  const { openDatabase } = await import('../server/db/database.ts')
  const { openPool } = await import('../server/db/pool.ts')
  const log = openLog(config)
  const database = await openDatabase(config, { mode: 'attach', onNotice: (line) => log.info(line) })
  const { connection } = database
  const onError = (err: Error) => log.warn({ err }, 'a database connection failed')
  const pool = openPool({ connection, max: 2, statementTimeoutMs: 30_000, onError })
  try {
    const findings = await checkDatabase({ config, db: pool, now: Date.now }, database)
    if (isMigrated(findings))
      findings.push(await checkSecrets(pool, config), ...(await checkCells(config, pool)))
    findings.push(...(await checkReplicas(config, pool)))
    findings.push(...(await checkBackup(config, pool, new Date())))
    return { findings, mail: await keptMail(pool, config, findings) }
  } finally {
    await pool.close()
    await database.stop()
  }
}

async function examine(config: Config): Promise<Examination> {
  const { checkFiles, checkMail, checkSvix, judgeSettings } = await import('../server/diagnosis/service.ts')
  const { checkDisk } = await import('../server/diagnosis/disk.ts')
  const { checkKeys, checkOwners } = await import('../server/diagnosis/data-folder.ts')
  const database = await examineDatabase(config).catch(
    (error: unknown): Examination => ({
      findings: [{ check: 'database', status: 'fail', detail: messageOf(error) }],
      mail: [],
    }),
  )
  const findings = [
    judgeSettings(config),
    await checkDisk(config),
    await checkFiles(config),
    ...(await checkKeys(config)),
    ...(await checkOwners(config)),
    await checkMail(config),
    ...(await checkSvix(config)),
    ...database.findings,
  ]
  return { findings, mail: database.mail }
}

async function diagnose(): Promise<Diagnosis> {
  try {
    const config = readConfig(process.env)
    const { findings, mail } = await examine(config)
    const ok = findings.every(({ status }) => status !== 'fail')
    return { ok, settings: settingsOf(config, process.env), findings, mail }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const finding: Finding = { check: 'configuration', status: 'fail', detail: error.message }
    return { ok: false, settings: [], findings: [finding], mail: [] }
  }
}

const settingLines = (settings: readonly Setting[]): string[] =>
  settings.length === 0
    ? []
    : [
        ...table(
          ['VARIABLE', 'VALUE', ''],
          settings.map(({ name, value, source }) => [name, value ?? '', source === 'set' ? 'set' : '']),
          '',
        ),
        '',
      ]

const findingLines = ({ check, status, detail, advice }: Finding): string[] => [
  `${status.padEnd(4)}  ${check.padEnd(13)}  ${detail}`,
  ...(advice === undefined ? [] : [`${' '.repeat(21)}${advice}`]),
]

const mailLines = ({ recipient, subject, body, createdAt }: KeptMail): string[] => [
  '',
  `To ${recipient}, ${createdAt}: ${subject}`,
  '',
  ...body
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`.trimEnd()),
]

async function doctor(options: OutputOptions): Promise<void> {
  const diagnosis = await diagnose()
  print(options, diagnosis, () => [
    ...settingLines(diagnosis.settings),
    ...diagnosis.findings.flatMap(findingLines),
    ...diagnosis.mail.flatMap(mailLines),
  ])
  if (!diagnosis.ok) process.exitCode = 1
}

const HELP = `
Changes nothing. Passwords, secrets and tokens of the configuration are masked. If no SMTP server is
configured, the last messages follow with their links: pass them on, and do not show them to others.
The exit code is 1 when a check fails.

Examples:
  $ rapport doctor
  $ rapport doctor --json`

export const doctorCommand = (): Command =>
  new Command('doctor')
    .description(
      'Check the installation: configuration, email, webhooks, files, database, disk, clock, secrets, backups, stuck work',
    )
    .option(...JSON_OUTPUT)
    .addHelpText('after', HELP)
    .action(doctor)
