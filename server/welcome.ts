// What a person sees after npm start: where everything is.
import type { Context } from './context.ts'

const addressLines = ({ databaseUrl, dataDir, baseUrl: base }: Context['config']): string[] => [
  '',
  `  Rapport is running at   ${base}`,
  `  Dashboard               ${base}`,
  `  API                     ${base}/api/v1`,
  `  API reference           ${base}/docs`,
  `  API document (OpenAPI)  ${base}/api/v1/openapi.json`,
  `  Data folder             ${databaseUrl ? 'the database in DATABASE_URL' : dataDir}`,
  '',
]

/** Prints that a process which answers no requests has started. */
export const announceWorker = (): void => void process.stdout.write('\n  Rapport does background work\n\n')

/**
 * Prints the addresses, on stdout, then makes and shows the demo organization where the configuration asks for it.
 * Without a demo the service is as good as with one: a failure is only reported.
 * @param makeDemo makes and shows it, given the address of the service
 */
export async function announce(
  { config, log }: Pick<Context, 'config' | 'log'>,
  makeDemo: (base: string) => Promise<void>,
): Promise<void> {
  process.stdout.write(`${addressLines(config).join('\n')}\n`)
  if (!config.demo) return
  await makeDemo(config.baseUrl).catch((err) => {
    log.error({ err }, 'the demo organization could not be created')
  })
}
