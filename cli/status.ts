// rapport status: prints the running service, its processes, its settings, and problems.
import { Command } from 'commander'
import { counted } from '../contract/counted.ts'
import type { ServiceFacts } from '../server/operations/diagnosis/report.ts'
import { inspect, isFailed } from './inspection.ts'
import { findingLines, settingLines } from './inspection-lines.ts'
import { JSON_OUTPUT, type OutputOptions, print, table } from './output.ts'

const MB = 1024 * 1024

function processLines({ processes, replacements }: ServiceFacts): string[] {
  const replaced = (name: string) =>
    replacements.filter((one) => one.name === name).reduce((sum, { count }) => sum + count, 0)
  const rows = processes.map(({ name, pid, isReady, silentSeconds }) => [
    ...[name, String(pid ?? ''), isReady ? 'ready' : 'starting'],
    silentSeconds === undefined ? '' : `${silentSeconds} s ago`,
    counted(replaced(name), 'time'),
  ])
  return rows.length === 0 ? [] : [...table(['PROCESS', 'PID', 'STATE', 'HEARD', 'REPLACED'], rows, ''), '']
}

const serviceLines = (service: ServiceFacts): string[] => [
  `Rapport ${service.version}, process ${service.pid} on ${service.host}, ROLE=${service.role}`,
  `listens on ${service.address}, runs since ${service.startedAt}, ${Math.round(service.memoryBytes / MB)} MB`,
  '',
  ...processLines(service),
  ...settingLines(service.settings),
]

async function status(options: OutputOptions): Promise<void> {
  const { services, findings } = await inspect()
  const problems = findings.filter((one) => one.status !== 'ok')
  const ok = services.length > 0 && !isFailed(findings)
  print(options, { ok, services, problems }, () => [
    ...services.flatMap(serviceLines),
    ...(problems.length === 0 ? ['no problem was found'] : problems.flatMap(findingLines)),
  ])
  if (!ok) process.exitCode = 1
}

const HELP = `
Asks the service that runs on DATA_DIR on this machine, over a socket that only its user and root can use: run
this command as one of them. Shows each process, the settings in use (of secrets only "set" or "not set"), and
the checks of rapport doctor that are not well, each with the next step. The exit code is 1 when no service
answers or a check fails.

Examples:
  $ rapport status
  $ sudo rapport status --json
  $ kubectl exec deploy/rapport-api -- rapport status`

export const statusCommand = (): Command =>
  new Command('status')
    .description('Show the running service: its processes, its settings, and what is wrong with it')
    .option(...JSON_OUTPUT)
    .addHelpText('after', HELP)
    .action(status)
