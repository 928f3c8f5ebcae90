// The output of npm start: the addresses of the service, and later the links of messages that are not sent.
import type { Context } from '../context.ts'
import { describeAddress } from '../db/explain.ts'
import type { Mail } from '../mail/message.ts'

export const addressLines = ({
  databaseUrl,
  dataDir,
  baseUrl: base,
}: Pick<Context['config'], 'databaseUrl' | 'dataDir' | 'baseUrl'>): string[] => [
  '',
  `  Rapport is running at   ${base}`,
  `  Dashboard               ${base}`,
  `  API                     ${base}/api/v1`,
  `  API reference           ${base}/docs`,
  `  API document (OpenAPI)  ${base}/api/v1/openapi.json`,
  ...(databaseUrl ? [`  Database                ${describeAddress(databaseUrl)}`] : []),
  `  Data folder             ${dataDir}`,
  '',
]

/** Prints that a process for background work has started. @param address for probes */
export const announceWorker = (address: string): void =>
  void process.stdout.write(
    `\n  Rapport does background work\n  Health and metrics      ${address}/healthz, /readyz, /metrics\n\n`,
  )

/**
 * Prints the addresses on stdout, then creates and prints the demo organization if it is configured. A failure is only
 * logged, because the service works without a demo.
 * @param makeDemo creates and prints the demo, for the address of the service
 */
export async function announceStart(
  { config, log }: Pick<Context, 'config' | 'log'>,
  makeDemo: (base: string) => Promise<void>,
): Promise<void> {
  process.stdout.write(`${addressLines(config).join('\n')}\n`)
  if (!config.demo) return
  await makeDemo(config.baseUrl).catch((err) => {
    log.error({ err }, 'the demo organization could not be created')
  })
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const LINK = /^https?:\/\/\S+$/

/** Messages about accounts have a link on a separate line. @returns '' for a message without a link */
const keptMailLines = ({ to, subject, text, organizationId }: Mail): string => {
  const link = organizationId === undefined && text.split('\n').find((line) => LINK.test(line))
  return link ? `\n  Message to ${to}: ${subject}\n  ${link}\n\n` : ''
}

/**
 * Without an SMTP server, messages are kept. If the service has a local address, the user of the browser probably ran
 * npm start, and finds the links of messages on its stdout.
 */
export function showKeptMail(
  { config, mailer }: Pick<Context, 'config' | 'mailer'>,
  write: (text: string) => void = (text) => void process.stdout.write(text),
): void {
  if (LOOPBACK.test(new URL(config.baseUrl).hostname)) mailer.onKept((mail) => write(keptMailLines(mail)))
}
