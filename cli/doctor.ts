// rapport doctor: prints the configuration, the problems, and advice.
import { Command } from 'commander'
import type { KeptMail } from '../server/mail/store.ts'
import { inspect, isFailed } from './inspection.ts'
import { findingLines, settingLines } from './inspection-lines.ts'
import { JSON_OUTPUT, type OutputOptions, print } from './output.ts'

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
  const { settings, findings, mail } = await inspect()
  const ok = !isFailed(findings)
  print(options, { ok, settings, findings, mail }, () => [
    ...settingLines(settings),
    ...findings.flatMap(findingLines),
    ...mail.flatMap(mailLines),
  ])
  if (!ok) process.exitCode = 1
}

const HELP = `
Asks the service that runs on DATA_DIR on this machine: it examines itself, with its own settings, as its own
user. Without one the settings of this shell are used, and the first lines say so. Changes nothing. Of secrets
only "set" or "not set" is shown. If no SMTP server is configured, the last messages follow with their links:
pass them on, and do not show them to others. The exit code is 1 when a check fails.

Examples:
  $ rapport doctor
  $ sudo rapport doctor --json`

export const doctorCommand = (): Command =>
  new Command('doctor')
    .description(
      'Check the installation: configuration, email, webhooks, files, database, disk, clock, secrets, backups, stuck work',
    )
    .option(...JSON_OUTPUT)
    .addHelpText('after', HELP)
    .action(doctor)
