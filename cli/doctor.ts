// rapport doctor: what is configured, what is wrong, and what to do about it.
import { Command } from 'commander'
import { type Config, ConfigError, readConfig } from '../server/config.ts'
import { type Setting, settingsOf } from '../server/diagnosis/configuration.ts'
import type { Finding } from '../server/diagnosis/service.ts'
import { type OutputOptions, print, table } from './output.ts'
import { openLog } from './session.ts'

interface Diagnosis {
  /** Whether nothing failed. */
  ok: boolean
  settings: Setting[]
  findings: Finding[]
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Not by way of a session: that would migrate what is to be looked at. */
async function examineDatabase(config: Config): Promise<Finding[]> {
  const { checkDatabase, hasDatabase, noDatabase } = await import('../server/diagnosis/service.ts')
  if (!(await hasDatabase(config))) return [noDatabase(config)]
  const { openDatabase } = await import('../server/db/database.ts')
  const { openPool } = await import('../server/db/pool.ts')
  const log = openLog(config)
  const database = await openDatabase(config, { mode: 'attach', onNotice: (line) => log.info(line) })
  const { connection } = database
  const onError = (err: Error) => log.warn({ err }, 'a connection broke')
  const pool = openPool({ connection, max: 2, statementTimeoutMs: 30_000, onError })
  try {
    return await checkDatabase(pool, database)
  } finally {
    await pool.close()
    await database.stop()
  }
}

async function examine(config: Config): Promise<Finding[]> {
  const { checkDisk } = await import('../server/diagnosis/service.ts')
  const settings: Finding = { check: 'configuration', status: 'ok', detail: 'every variable can be used' }
  const database = await examineDatabase(config).catch((error: unknown): Finding[] => [
    { check: 'database', status: 'fail', detail: messageOf(error) },
  ])
  return [settings, await checkDisk(config), ...database]
}

async function diagnose(): Promise<Diagnosis> {
  try {
    const config = readConfig(process.env)
    const findings = await examine(config)
    const ok = findings.every(({ status }) => status !== 'fail')
    return { ok, settings: settingsOf(config, process.env), findings }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const finding: Finding = { check: 'configuration', status: 'fail', detail: error.message }
    return { ok: false, settings: [], findings: [finding] }
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

async function doctor(options: OutputOptions): Promise<void> {
  const diagnosis = await diagnose()
  print(options, diagnosis, () => [
    ...settingLines(diagnosis.settings),
    ...diagnosis.findings.flatMap(findingLines),
  ])
  if (!diagnosis.ok) process.exitCode = 1
}

const HELP = `
Changes nothing. Passwords, secrets and tokens are masked, so that the output can be shown to others.
The exit code is 1 when a check fails.

Examples:
  $ rapport doctor
  $ rapport doctor --json`

export const doctorCommand = (): Command =>
  new Command('doctor')
    .description('Look the installation over: configuration, database, disk, clock, stuck work')
    .option('--json', 'print one JSON document')
    .addHelpText('after', HELP)
    .action(doctor)
