// What a person sees after npm start: where everything is.
import type { Context } from './context.ts'

/** Prints the addresses, on stdout. `address`: where the server listens. */
export async function announce(ctx: Context, address: string): Promise<void> {
  const base = ctx.config.port === 0 ? address : ctx.config.baseUrl
  const lines = [
    '',
    `  Rapport is running at   ${base}`,
    `  API                     ${base}/api/v1`,
    `  API reference           ${base}/docs`,
    `  API document (OpenAPI)  ${base}/api/v1/openapi.json`,
    `  Data folder             ${ctx.config.databaseUrl ? 'the database in DATABASE_URL' : ctx.config.dataDir}`,
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
