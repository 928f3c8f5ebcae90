// The data of `rapport doctor` and `rapport status`: reports of running services, or an examination without one.
import { type Config, ConfigError, readConfig } from '../server/config/config.ts'
import type { KeptMail } from '../server/mail/store.ts'
import type { Setting } from '../server/operations/diagnosis/configuration.ts'
import type { OpenDatabase } from '../server/operations/diagnosis/examine.ts'
import type { Finding } from '../server/operations/diagnosis/finding.ts'
import type { ServiceFacts, ServiceReport } from '../server/operations/diagnosis/report.ts'
import { openLog } from './session.ts'

export interface Inspection {
  /** Services with this DATA_DIR on this machine that have responded. */
  services: ServiceFacts[]
  /** Settings of the first service; without a service, settings of this shell. */
  settings: Setting[]
  findings: Finding[]
  mail: KeptMail[]
}

const nameOf = ({ role, pid }: ServiceFacts) => `process ${pid} (ROLE=${role})`

const answered = (service: ServiceFacts): Finding => ({
  ...{ check: 'service', status: 'ok' },
  detail: `${nameOf(service)} has answered: settings and checks are its own`,
})

/** Settings of the shell that differ: they may have changed since the service started, or be for another service. */
function shellFindings(ofShell: readonly Setting[], ofService: readonly Setting[]): Finding[] {
  const used = new Map(ofService.map(({ name, value }) => [name, value]))
  const names = ofShell
    // With PORT=0 the system has chosen the port, so a difference is expected.
    .filter(({ name, value, source }) => source === 'set' && used.get(name) !== value && value !== '0')
    .map(({ name }) => name)
  if (names.length === 0) return []
  return [
    {
      ...{ check: 'shell', status: 'warn' },
      detail: `this shell sets ${names.join(', ')} to other values than the service uses: they were not examined`,
      advice:
        'restart the service to use them, or unset them; to examine another installation, set DATA_DIR to its folder',
    },
  ]
}

async function inspectionOf(
  config: Config,
  reports: readonly ServiceReport[],
  problems: readonly Finding[],
): Promise<Inspection> {
  const { configuredSettings } = await import('../server/operations/diagnosis/configuration.ts')
  const services = reports.map(({ service }) => service)
  const found = reports.flatMap(({ service, findings }) => [
    answered(service),
    ...findings.map((one) =>
      reports.length === 1 ? one : { ...one, check: `${service.role} ${service.pid}: ${one.check}` },
    ),
  ])
  const [settings = []] = services.map((one) => one.settings)
  const ofShell = shellFindings(configuredSettings(config, process.env), settings)
  return {
    ...{ services, settings, findings: [...problems, ...ofShell, ...found] },
    mail: reports[0]?.mail ?? [],
  }
}

const noService = ({ dataDir }: Config): Finding => ({
  ...{ check: 'service', status: 'warn' },
  detail: `no service runs on ${dataDir} on this machine: settings and checks are those of this shell`,
  advice:
    'start it; if it runs, give this command its DATA_DIR and run it as its user (systemctl show -p User,Environment,EnvironmentFiles rapport)',
})

/** Opens no session, because a session would migrate the database. */
async function openerOf(config: Config): Promise<OpenDatabase> {
  const { hasDatabase } = await import('../server/operations/diagnosis/service.ts')
  const { externalConnection, openDatabase } = await import('../server/db/database.ts')
  const { databaseUrl } = config
  if (databaseUrl !== undefined) {
    const connection = externalConnection(databaseUrl, config)
    return async () => ({ connection, embedded: undefined, stop: async () => undefined })
  }
  const log = openLog(config)
  return async () =>
    (await hasDatabase(config))
      ? openDatabase(config, { mode: 'attach', onNotice: (line) => log.info(line) })
      : undefined
}

async function inspectWithoutService(config: Config, problems: readonly Finding[]): Promise<Inspection> {
  const { configuredSettings } = await import('../server/operations/diagnosis/configuration.ts')
  const { examineInstallation } = await import('../server/operations/diagnosis/examine.ts')
  const { checkPort } = await import('../server/operations/diagnosis/port.ts')
  const { findings, mail } = await examineInstallation(config, await openerOf(config))
  // The port is not checked if a service does not respond, because it uses the port.
  const ofService = problems.length > 0 ? problems : [noService(config), await checkPort(config)]
  return {
    ...{ services: [], settings: configuredSettings(config, process.env) },
    ...{ findings: [...ofService, ...findings], mail },
  }
}

export async function inspect(): Promise<Inspection> {
  try {
    const config = readConfig(process.env)
    const { askServices } = await import('../server/operations/diagnosis/ask-service.ts')
    const { answers, problems } = await askServices(config.dataDir)
    return await (answers.length > 0
      ? inspectionOf(config, answers, problems)
      : inspectWithoutService(config, problems))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const finding: Finding = {
      ...{ check: 'configuration', status: 'fail', detail: error.message },
      advice: 'correct this variable: the service does not start with it',
    }
    return { services: [], settings: [], findings: [finding], mail: [] }
  }
}

export const isFailed = (findings: readonly Finding[]): boolean =>
  findings.some(({ status }) => status === 'fail')
